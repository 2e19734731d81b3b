// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar::c {

/// The kernel of that number.
Kernel kernel(int value);

/// The outputs of these flags of enum nearfar_output. Throws Error{bad_input} for outputs that the kernel does not
/// have, naming them and those that it has.
Outputs outputs(Kernel kernel, unsigned flags);

}  // namespace nearfar::c

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar::c {

/// The kernel of that number.
Kernel kernel(int value);

/// What C++ calls `gradient`, for flags of enum nearfar_output. Throws Error{bad_input} for outputs that the kernel
/// does not have, naming them and those that it has.
bool with_gradient(Kernel kernel, unsigned outputs);

}  // namespace nearfar::c

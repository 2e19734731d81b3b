// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar::c {

/// The kernel of that number.
Kernel kernel(int value);

/// The outputs of these flags of enum nearfar_output. Throws Error{bad_input} for other flags; whether a kernel has the
/// outputs is asked by whoever computes them.
Outputs outputs(unsigned flags);

}  // namespace nearfar::c

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <optional>

namespace nearfar {

/// Throws Error{bad_input} for a softening that is not above 0, or that the kernel cannot have.
void check_softening(Kernel kernel, Outputs outputs, std::optional<double> softening);

}  // namespace nearfar

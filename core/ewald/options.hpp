// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>

namespace nearfar {

/// Throws Error{bad_input} for the first unusable value in
/// `options`: what it is, why it is wrong, and what would be right.
template <class T>
void check_options(EwaldOptions const& options);

}  // namespace nearfar

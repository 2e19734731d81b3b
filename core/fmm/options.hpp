// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/fmm.hpp>

namespace nearfar {

/// Throws Error{bad_input} for options that make no sense, each with what would. T is the precision of the plan.
template <class T>
void check_options(FmmOptions const& options);

}  // namespace nearfar

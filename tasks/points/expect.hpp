// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace nearfar::detail {

/// Throws Error{bad_input} unless there are `per_point` numbers for each point.
void expect_rows(char const* what, std::size_t length, std::size_t points, int per_point);

/// Throws Error{bad_input} unless there are whole points.
void expect_whole_points(char const* what, std::size_t length);

/// Throws Error{bad_input} unless there are any.
void expect_some(char const* what, std::size_t points);

/// Both.
void expect_points(char const* what, std::size_t length);

}  // namespace nearfar::detail

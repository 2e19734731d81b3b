// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Significant digits a precision can give: the finest tolerance that is accepted.
template <class T>
double finest_tolerance() noexcept;  // 1e-12 (double), 1e-5 (float)
template <>
double finest_tolerance<double>() noexcept;
template <>
double finest_tolerance<float>() noexcept;

/// The finest tolerance for a far part in single precision: rounding alone comes to a few 1e-6.
inline constexpr double finest_for_single_far = 1e-5;

/// Absolute error for make_near_kernel and make_far_multiplier that the tolerance does not notice.
constexpr double fit_error(double tolerance) noexcept { return tolerance / 100; }

/// The widest window with a table of the influence function, in grid points. A table has modes up to the corners of the
/// grid, where the square of the transform of a wider one, by which they are divided, is lost in rounding.
inline constexpr int widest_for_table = 18;

}  // namespace nearfar

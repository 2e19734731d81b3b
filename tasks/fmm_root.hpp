// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tree.hpp"

#include <nearfar/fmm.hpp>

#include <span>
#include <vector>

namespace nearfar::detail {

/// The root box: the periodic cell, or the least cube around the points.
struct FmmRoot {
  std::array<double, 3> centre{};
  double half = 0.5;  ///< half its longest edge
  std::array<double, 3> aspect{1, 1, 1};
};

/// Throws Error{bad_input} for coordinates that are not finite, or outside a box that was given.
template <class T>
FmmRoot root_of(FmmOptions const& options, std::span<T const> sources, std::span<T const> targets);

/// A root `factor` times as long with the same lowest corner.
FmmRoot stretched(FmmRoot root, double factor);

/// Rows in the root, wrapped into it where it is periodic.
template <class T>
struct PlacedRows {
  std::vector<T> relative;  ///< to its centre
  std::vector<T> exact;     ///< not rounded by a change of origin; none in double precision, which does not need them
};
template <class T>
PlacedRows<T> placed_rows(FmmOptions const& options, FmmRoot const& root, std::span<T const> rows, char const* what);

/// Whether every point is still in its leaf; `rows` are relative to the centre.
template <class T>
bool still_fits(Tree const& tree, std::span<T const> rows);

}  // namespace nearfar::detail

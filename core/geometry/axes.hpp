// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

#include <array>

namespace nearfar {

/// Directions in which the box does not repeat.
constexpr int free_directions(Periodicity p) { return 3 - static_cast<int>(p); }

/// Periodic directions come first in the caller's order.
constexpr bool is_periodic(Periodicity p, int user_axis) { return user_axis < static_cast<int>(p); }

/// The caller's axis for each of our axes. Inside, free directions come first: the grid is cut into slabs
/// along one of them, and the rest of a plane is transformed without padding as far as it is periodic.
using Axes = std::array<int, 3>;

constexpr Axes axes_of(Periodicity p) {
  return p == Periodicity::x || p == Periodicity::xy ? Axes{2, 1, 0} : Axes{0, 1, 2};
}

/// Reorders values per axis from the caller's axes to ours.
template <class V>
std::array<V, 3> inside(Axes const& axes, std::array<V, 3> const& users) {
  std::array<V, 3> ours{};
  for (std::size_t d = 0; d < 3; ++d) ours[d] = users[static_cast<std::size_t>(axes[d])];
  return ours;
}

/// The reverse.
template <class V>
std::array<V, 3> outside(Axes const& axes, std::array<V, 3> const& ours) {
  std::array<V, 3> users{};
  for (std::size_t d = 0; d < 3; ++d) users[static_cast<std::size_t>(axes[d])] = ours[d];
  return users;
}

/// The caller's column of each of our components of a row: vectors turn with the
/// axes. A row holds vectors, after one scalar if its length is not a multiple of 3.
struct RowColumns {
  int at[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

  /// Rows of any length where our axes are the caller's.
  NEARFAR_FUNCTION constexpr int of(int component) const { return at[component % 9] + component / 9 * 9; }
};

constexpr RowColumns row_columns(Axes const& axes, int components) {
  RowColumns columns;
  for (int i = components % 3; i < components; ++i) {
    int const vector = i - (i - components % 3) % 3;
    columns.at[i] = vector + axes[static_cast<std::size_t>(i - vector)];
  }
  return columns;
}

}  // namespace nearfar

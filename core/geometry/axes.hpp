// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/row_shape.hpp"
#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace nearfar {

/// Directions in which the box does not repeat.
constexpr int free_directions(Periodicity p) { return 3 - periodic_directions(p); }

/// The caller's axis for each of our axes. Inside, free directions come first: the grid is cut into slabs
/// along one of them, and the rest of a plane is transformed without padding as far as it is periodic.
using Axes = std::array<int, 3>;

constexpr Axes axes_of(Periodicity p) {
  Axes axes{0, 1, 2};
  if (p == Periodicity::none || p == Periodicity::xyz) return axes;
  std::size_t next = 0;
  for (bool const periodic : {false, true})
    for (int d = 2; d >= 0; --d)
      if (is_periodic(p, d) == periodic) axes[next++] = d;
  return axes;
}

/// The caller's axes with periodic ones first: models of errors know a box by how it repeats, not by names.
constexpr Axes periodic_first(Periodicity p) {
  Axes axes{0, 1, 2};
  std::size_t next = 0;
  for (bool const periodic : {true, false})
    for (int d = 0; d < 3; ++d)
      if (is_periodic(p, d) == periodic) axes[next++] = d;
  return axes;
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

/// The caller's column of each of our components of a row: vectors and tensors turn with the axes. Where our axes
/// mirror the caller's, axial vectors change sign. Rows of several vectors of strengths repeat. Results may hold more
/// than the caller asked for.
struct RowColumns {
  std::int8_t at[max_row] = {};             ///< -1: the caller does not get it
  std::int8_t numbers = 1, of_callers = 1;  ///< of our row and of the caller's, for one vector of strengths
  bool negative[max_row] = {};

  /// -1: none.
  NEARFAR_FUNCTION constexpr int of(int component) const {
    std::int8_t const first = at[component % numbers];
    return first < 0 ? -1 : first + component / numbers * of_callers;
  }
  /// Numbers of the caller's rows where ours have so many.
  NEARFAR_FUNCTION constexpr int callers(int components) const { return components / numbers * of_callers; }
  /// Whether any component changes sign, and component number `component` of one vector's row with its sign.
  NEARFAR_FUNCTION constexpr bool mirrors() const {
    bool any = false;
    for (bool const sign : negative) any = any || sign;
    return any;
  }
  template <class T>
  NEARFAR_FUNCTION constexpr T turned(int component, T value) const {
    return negative[component] ? -value : value;
  }
};

/// Which of several vectors of strengths a task is for, where the caller's rows hold all of them. Of our own rows each
/// task has those of one vector.
struct VectorNumber {
  int number = 0;
  int all = 1;  ///< in a row; 1: rows have no others
};

constexpr bool mirrored(Axes const& axes) { return (axes[1] - axes[0] + 3) % 3 != 1; }

/// `asked`: of results, the outputs that the caller gets; empty: all fields.
constexpr RowColumns row_columns(Axes const& axes, std::span<Field const> fields, Outputs asked = {}) {
  RowColumns columns;
  int first = 0, callers = 0;
  for (Field const& field : fields) {
    int const size = field.size();
    bool const wanted = asked.empty() || asked.has(field.output);
    for (int i = 0; i < size; ++i) {
      auto const [row, column] = field.axes(i);
      int const at = field.number({axes[static_cast<std::size_t>(row)], axes[static_cast<std::size_t>(column)]});
      columns.at[first + i] = std::int8_t(wanted ? callers + at : -1);
      columns.negative[first + i] = field.axial && mirrored(axes);
    }
    first += size;
    if (wanted) callers += size;
  }
  columns.numbers = std::int8_t(first);
  columns.of_callers = std::int8_t(callers);
  return columns;
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/placement.hpp"

#include "core/geometry/near_frame.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace nearfar::detail {

namespace {

constexpr int cache_line = 64;

/// Into [0, edge), also where rounding would give the edge itself.
template <class T>
T wrapped(double x, double edge) {
  T const y = T(x >= 0 && x < edge ? x : x - edge * std::floor(x / edge));
  return double(y) < edge && y >= 0 ? y : T(0);
}

[[noreturn]] void not_finite(char const* what, std::size_t point, int d, double value) {
  throw Error(Fault::bad_input, std::string("coordinate ") + "xyz"[d] + " of " + what + " " + std::to_string(point) +
                                    " is " + std::to_string(value) +
                                    " (it lies in no box); coordinates must be finite");
}

[[noreturn]] void too_far(char const* what, std::size_t point, int d, double value, double edge) {
  std::ostringstream text;
  text << "coordinate "
       << "xyz"[d] << " of " << what << " " << point << " is " << value << " (so many periods of " << edge
       << " away that its place in the box is lost); wrap it into the box";
  throw Error(Fault::bad_input, text.str());
}

[[noreturn]] void not_in_box(char const* what, std::size_t point, int d, double value, double edge) {
  std::ostringstream text;
  text << "coordinate "
       << "xyz"[d] << " of " << what << " " << point << " is " << value << " (outside the box, [0, " << edge
       << "], in a direction that does not repeat); give a longer box edge, or none";
  throw Error(Fault::bad_input, text.str());
}

}  // namespace

std::int64_t padded(std::int64_t n) {
  std::int64_t const line = cache_line / 4;
  return (n + line - 1 + line - 1) / line * line + (n == 0 ? line : 0);
}

template <class T>
std::array<T, 3> place(Frame const& frame, T const* row, char const* what, std::size_t point) {
  std::array<T, 3> x;
  for (std::size_t d = 0; d < 3; ++d) {
    double const edge = frame.cells.edge[d];
    int const user = frame.axes[d];
    T const value = row[user];
    if (!std::isfinite(value)) not_finite(what, point, user, double(value));
    double const given = frame.unit.ours(double(value));
    if (frame.cells.periodic[d]) {
      if (!std::isfinite(T(given))) too_far(what, point, user, double(value), frame.unit.callers(edge));
      x[d] = wrapped<T>(given - frame.origin[d], edge);
      continue;
    }
    double const inside = given - frame.origin[d];
    if (!(inside >= 0 && inside <= edge)) not_in_box(what, point, user, double(value), frame.unit.callers(edge));
    x[d] = T(inside);
  }
  return x;
}

template <class T>
std::array<T, 3> place_near(Frame const& frame, T const* row, std::array<T, 3> const& placed) {
  std::array<T, 3> x;
  for (std::size_t d = 0; d < 3; ++d) {
    double const given = frame.unit.ours(double(row[frame.axes[d]])), wrapped = double(placed[d]);
    int const axis = int(d);
    x[d] = frame.cells.periodic[d]
               ? near_coordinate<T>(frame.cells, axis, frame.cells.cell(axis, wrapped), given, wrapped)
               : T(given - frame.near_origin[d]);
  }
  return x;
}

template <class T>
void not_distinct(char const* what, std::uint32_t i, std::uint32_t j, std::array<T, 3> const& point) {
  auto const [first, second] = std::minmax(i, j);
  std::ostringstream text;
  text << what << "s " << first << " and " << second << " are at the same point, (" << point[0] << ", " << point[1]
       << ", " << point[2] << ") in the box (their interaction is infinite); merge them, or move one";
  throw Error(Fault::bad_input, text.str());
}

#define NEARFAR_INSTANTIATE(T)                                                           \
  template std::array<T, 3> place(Frame const&, T const*, char const*, std::size_t);     \
  template std::array<T, 3> place_near(Frame const&, T const*, std::array<T, 3> const&); \
  template void not_distinct(char const*, std::uint32_t, std::uint32_t, std::array<T, 3> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

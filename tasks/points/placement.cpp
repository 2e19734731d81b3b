// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/placement.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <type_traits>

namespace nearfar::detail {

namespace {

constexpr int cache_line = 64;

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
  if (place_point(frame, row, x.data())) return x;
  for (std::size_t d = 0; d < 3; ++d) {
    double const edge = frame.cells.edge[d];
    int const user = frame.axes[d];
    T const value = row[user];
    if (!std::isfinite(value)) not_finite(what, point, user, double(value));
    double const given = frame.unit.ours(double(value)), inside = given - frame.origin[d];
    if (frame.cells.periodic[d] && !std::isfinite(T(given)))
      too_far(what, point, user, double(value), frame.unit.callers(edge));
    if (!frame.cells.periodic[d] && !(inside >= 0 && inside <= edge))
      not_in_box(what, point, user, double(value), frame.unit.callers(edge));
  }
  throw Error(Fault::bug, "a point that no check refuses has no place in the box; please report it");
}

template <class T>
void not_distinct(char const* what, std::uint32_t i, std::uint32_t j, std::array<T, 3> const& point) {
  auto const [first, second] = std::minmax(i, j);
  std::ostringstream text;
  text << what << "s " << first << " and " << second << " are at the same point";
  // In single precision it may be relative to an offset, and in double they may be two.
  if (std::is_same_v<T, float>) text << " as far as single precision tells";
  else text << ", (" << point[0] << ", " << point[1] << ", " << point[2] << ") in the box";
  text << " (their interaction is infinite); merge them, or move one";
  if (std::is_same_v<T, float>) text << ", or use double precision";
  throw Error(Fault::bad_input, text.str());
}

#define NEARFAR_INSTANTIATE(T)                                                       \
  template std::array<T, 3> place(Frame const&, T const*, char const*, std::size_t); \
  template void not_distinct(char const*, std::uint32_t, std::uint32_t, std::array<T, 3> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

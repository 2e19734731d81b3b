// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/placement.hpp"

#include "core/math/reject.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

namespace nearfar::detail {

namespace {

constexpr int cache_line = 64;

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
    auto const end = [&] {
      double const callers = frame.unit.callers(edge);
      return T(callers) == callers ? in_words(T(callers)) : in_words(callers);
    };
    auto const wrong = [&](auto const&... parts) {
      reject("coordinate ", "xyz"[user], " of ", what, " ", point, " is ", value, parts...);
    };
    if (!std::isfinite(value)) wrong(" (it lies in no box); coordinates must be finite");
    double const given = frame.unit.ours(double(value)), inside = given - frame.origin[d];
    if (frame.cells.periodic[d] && !std::isfinite(T(given)))
      wrong(" (so many periods of ", end(), " away that its place in the box is lost); wrap it into the box");
    if (!frame.cells.periodic[d] && !(inside >= 0 && inside <= edge))
      wrong(" (outside the box, [0, ", end(),
            "], in a direction that does not repeat); give a longer box edge, or none");
  }
  throw Error(Fault::bug, "a point that no check refuses has no place in the box; please report it");
}

template <class T>
void not_distinct(char const* what, std::uint32_t i, std::uint32_t j, std::array<T, 3> const& point) {
  bool const single = std::is_same_v<T, float>;
  auto const [first, second] = std::minmax(i, j);
  // In single precision it may be relative to an offset, and in double they may be two.
  auto const where = single ? " as far as single precision tells"
                            : in_words(", (", point[0], ", ", point[1], ", ", point[2], ") in the box");
  reject(what, "s ", first, " and ", second, " are at the same point", where,
         " (their interaction is infinite); merge them, or move one", single ? ", or use double precision" : "");
}

#define NEARFAR_INSTANTIATE(T)                                                       \
  template std::array<T, 3> place(Frame const&, T const*, char const*, std::size_t); \
  template void not_distinct(char const*, std::uint32_t, std::uint32_t, std::array<T, 3> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

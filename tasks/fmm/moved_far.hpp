// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Where a few targets are, and a few sources that are not the targets: rows of three coordinates.
using SeenPoints = std::array<std::vector<double>, 2>;

/// Whether a few points (rows of three coordinates) have moved so far that a review before tells nothing of
/// them: by a third of the distances between them before or after, of which the smaller count. In a periodic cell all
/// distances are to the nearest image.
inline bool moved_far(std::span<double const> before, std::span<double const> now, TreeShape const& shape) {
  constexpr double far = 1.0 / 3;
  if (before.size() != now.size()) return true;
  auto const square = [&](std::span<double const> a, std::size_t i, std::span<double const> b, std::size_t j) {
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      double across = a[3 * i + d] - b[3 * j + d];
      double const edge = 2 * shape.half * shape.aspect[d];
      if (shape.periodic) across -= edge * std::round(across / edge);
      sum += across * across;
    }
    return sum;
  };
  double moved = 0, apart_before = 0, apart_now = 0;
  for (std::size_t i = 0; i < now.size() / 3; ++i) {
    moved += square(now, i, before, i);
    apart_before += square(before, i, before, 0);
    apart_now += square(now, i, now, 0);
  }
  return moved > far * far * std::min(apart_before, apart_now);
}

/// Whether either of them have.
inline bool moved_far(SeenPoints const& before, SeenPoints const& now, TreeShape const& shape) {
  return moved_far(std::span<double const>(before[0]), now[0], shape) ||
         moved_far(std::span<double const>(before[1]), now[1], shape);
}

}  // namespace nearfar::detail

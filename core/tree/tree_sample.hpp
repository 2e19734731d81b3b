// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Which boxes and points of a tree are looked at to learn how much work it is: evenly spaced ones, of each level some.
struct TreeSample {
  static constexpr std::int64_t most_points = 64;

  double points = 0, boxes = 0;  ///< of the tree

  /// How many boxes of a level with so many.
  NEARFAR_FUNCTION std::int64_t boxes_of(std::int64_t level) const {
    constexpr double boxes_asked = 128, least_of_level = 8;
    double const share = boxes_asked * double(level) / boxes;
    std::int64_t const rounded = std::int64_t(share), asked = rounded + (double(rounded) < share ? 1 : 0);
    std::int64_t const most = asked < std::int64_t(least_of_level) ? std::int64_t(least_of_level) : asked;
    return most < level ? most : level;
  }
  NEARFAR_FUNCTION std::int64_t points_of_tree() const {
    return points < double(most_points) ? std::int64_t(points) : most_points;
  }
  /// Number k of so many of a level, or of all points.
  NEARFAR_FUNCTION static std::int64_t at(std::int64_t k, std::int64_t asked, double all) {
    return std::int64_t((double(k) + 0.5) * all / double(asked));
  }
};

}  // namespace nearfar

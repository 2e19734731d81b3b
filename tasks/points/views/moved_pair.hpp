// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace nearfar::detail {

/// A target and a source near it, of this rank's.
struct MovedPair {
  std::array<double, 3> apart, rounded;  ///< target - source before and after they are rounded to floats
  std::uint32_t target, source;          ///< their rows
  float stands_for;                      ///< as many targets, whose fields rounding changes by about as much
  /// In a skewed cell: of the source to its image, and how far apart target - source may be where floats have it
  /// subtracted from the one or added to the other. Else 0.
  std::array<float, 3> shift{}, uneven{};
};

/// Those of all targets that rounding changes most, and of some of the others; the pairs of a target follow each other.
using MovedPairs = std::vector<MovedPair>;

}  // namespace nearfar::detail

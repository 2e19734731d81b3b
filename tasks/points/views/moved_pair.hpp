// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace nearfar::detail {

/// A target and the source that is nearest to it, of this rank's.
struct MovedPair {
  std::array<double, 3> apart, rounded;  ///< target - source before and after they are rounded to floats
  std::uint32_t target, source;          ///< their rows
  float stands_for;                      ///< as many pairs, whose fields rounding changes by about as much: of other
                                         ///< targets, and of sources that are nearly as close
};

/// All pairs that rounding changes most, and some of the others.
using MovedPairs = std::vector<MovedPair>;

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

namespace nearfar {

enum class Direction { forward, inverse };

/// A batch of transforms of one or two dimensions, the last of which is
/// contiguous: strides of numbers and of transforms.
struct TransformShape {
  struct Side {
    std::array<int, 2> room;  ///< of each dimension, in numbers
    int stride = 1, distance = 1;
  };
  bool real = false;  ///< between real numbers and half of the modes, or complex
  int dimensions = 1;
  std::array<int, 2> size;  ///< the first is unused in one dimension
  Side from, to;            ///< forward; the inverse goes the other way
  int count = 1;

  /// All of it, for keys of plans.
  std::vector<int> numbers() const {
    std::vector<int> all{real, dimensions, size[0], size[1], count};
    for (Side const& side : {from, to}) all.insert(all.end(), {side.room[0], side.room[1], side.stride, side.distance});
    return all;
  }
};

}  // namespace nearfar

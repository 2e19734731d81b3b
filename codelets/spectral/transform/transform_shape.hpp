// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace nearfar {

enum class Direction { forward, inverse };

/// A batch of transforms of one or two dimensions, the last of which is
/// contiguous: strides of numbers and of transforms. The key of a plan.
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
};

}  // namespace nearfar

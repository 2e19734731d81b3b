// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace nearfar {

/// A complex number in the memory of a GPU.
template <class T>
struct alignas(2 * sizeof(T)) GpuComplex {
  T re, im;
};

enum class Direction { forward, inverse };

/// Many transforms of one or two dimensions, the last of which lies together: where the next number and the next
/// transform are. What a plan depends on.
struct TransformShape {
  struct Side {
    std::array<int, 2> room;  ///< of each dimension, in numbers
    int stride = 1, distance = 1;
  };
  bool real = false;  ///< between real numbers and the half of the modes, or complex
  int dimensions = 1;
  std::array<int, 2> size;  ///< the first is unused in one dimension
  Side from, to;            ///< forward; the inverse goes the other way
  int count = 1;
};

/// Runs it on a stream of the calling worker's GPU; returns at once. Plans are made on the first call for a shape on a
/// GPU, and kept; their work areas are there for one call. From modes to reals, what comes in is overwritten. Throws
/// std::runtime_error for what the library refuses.
template <class T>
void gpu_transform(TransformShape const& shape, Direction direction, void* in, void* out, void* stream);

}  // namespace nearfar

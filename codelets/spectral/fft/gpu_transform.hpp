// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

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

/// Bytes of modes that the calling worker's GPU keeps in its caches from one pass over them to the next, where that is
/// enough to keep all of it busy. Throws std::runtime_error where there is no device.
std::size_t gpu_cache_part();

/// How many of `count` such items are a part of so many bytes: at least one.
inline int part_of(std::int64_t count, std::int64_t item_bytes, std::size_t part_bytes) {
  return int(std::clamp<std::int64_t>(std::int64_t(part_bytes) / item_bytes, 1, std::max<std::int64_t>(1, count)));
}

/// Runs it on a stream of the calling worker's GPU; returns at once. Plans are made on the first call for a shape on a
/// GPU, and kept; their work areas are there for one call. From modes to reals, what comes in is overwritten. Throws
/// std::runtime_error for what the library refuses.
template <class T>
void gpu_transform(TransformShape const& shape, Direction direction, void* in, void* out, void* stream);

}  // namespace nearfar

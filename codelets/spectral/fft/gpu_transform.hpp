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

/// Of modes that are padded and transformed together. Parts that stay in the cache of an H200 gain less from it than
/// they lose between kernels: Poisson's equation on 512^3 cells takes 64 ms in parts of 30 MiB, 58 of 120, 54 of 500.
inline constexpr std::size_t gpu_part_bytes = std::size_t(256) << 20;

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

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/transform/transform_shape.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nearfar {

/// A complex number in GPU memory.
template <class T>
struct alignas(2 * sizeof(T)) GpuComplex {
  T re, im;
};

/// Bytes of modes that are padded and transformed together. Parts that fit the cache of an H200 gain less from it than
/// they lose between kernels: Poisson's equation on 512^3 cells takes 64 ms in parts of 30 MiB, 58 of 120, 54 of 500.
inline constexpr std::size_t gpu_part_bytes = std::size_t(256) << 20;

/// How many of `count` such items make up a part of this many bytes: at least one.
inline int part_of(std::int64_t count, std::int64_t item_bytes, std::size_t part_bytes) {
  return int(std::clamp<std::int64_t>(std::int64_t(part_bytes) / item_bytes, 1, std::max<std::int64_t>(1, count)));
}

/// Runs it on a stream of the calling worker's GPU; returns at once. Plans are made on the first
/// call for a shape on a GPU, and kept; their work areas are allocated for each call. From modes
/// to reals, the input is overwritten. Throws std::runtime_error if the library refuses.
template <class T>
void gpu_transform(TransformShape const& shape, Direction direction, void* in, void* out, void* stream);

}  // namespace nearfar

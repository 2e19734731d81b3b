// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/transform/gpu_transform.hpp"
#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// How the columns of one length are transformed in place in the shared memory of a GPU block: stages of
/// small transforms, which leave the modes in an order of their own; the inverse starts from that order.
template <class T>
struct ColumnPlan {
  static constexpr int most_stages = 6;
  struct Stage {
    int radix;                             ///< numbers that are transformed together
    int span;                              ///< their distance
    int turn;                              ///< step between the roots of adjacent small transforms
    std::uint64_t by_span, by_transforms;  ///< reciprocals of the span, and of the number of small transforms
  };

  int length = 0, stages = 0;  ///< 0 if the length has factors other than 2, 3, 5 and 7, or too many
  Stage stage[most_stages] = {};
  GpuComplex<T> const* roots = nullptr;  ///< exp(-2 pi i j / length)
  std::uint16_t const* place = nullptr;  ///< the place of mode j after the stages
  std::uint16_t const* mode = nullptr;   ///< the mode at a place
};

/// 2^32 / n, rounded up: quotient() divides numbers below 2^16 by n with it.
constexpr std::uint64_t reciprocal_of(std::uint32_t n) { return ((std::uint64_t(1) << 32) + n - 1) / n; }
NEARFAR_FUNCTION int quotient(int number, std::uint64_t reciprocal) { return int(number * reciprocal >> 32); }

/// The plan in the memory of the calling worker's GPU, made on the first call
/// for a length and kept. Throws Error{no_resource} if there is no memory.
template <class T>
ColumnPlan<T> const& column_plan(int length);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/gpu_transform.hpp"
#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// How the columns of one length are transformed in memory that the threads of a GPU block share, in place: stages of
/// small transforms, after which modes lie in an order of their own; the inverse begins with that order.
template <class T>
struct ColumnPlan {
  static constexpr int most_stages = 6;
  struct Stage {
    int radix;                             ///< numbers that are transformed together
    int span;                              ///< how far apart they are
    int turn;                              ///< between the roots of small transforms side by side
    std::uint64_t by_span, by_transforms;  ///< reciprocals of the span, and of how many small transforms there are
  };

  int length = 0, stages = 0;  ///< none: the length has another factor than 2, 3, 5 and 7, or too many
  Stage stage[most_stages] = {};
  GpuComplex<T> const* roots = nullptr;  ///< exp(-2 pi i j / length)
  std::uint16_t const* place = nullptr;  ///< where mode j is after the stages
  std::uint16_t const* mode = nullptr;   ///< the mode that is there
};

/// 2^32 / n, rounded up: what quotient() divides by n with, numbers below 2^16.
constexpr std::uint64_t reciprocal_of(std::uint32_t n) { return ((std::uint64_t(1) << 32) + n - 1) / n; }
NEARFAR_FUNCTION int quotient(int number, std::uint64_t reciprocal) { return int(number * reciprocal >> 32); }

/// In the memory of the calling worker's GPU, where it is made on the first call for a length and kept. Throws
/// Error{no_resource} where there is no memory.
template <class T>
ColumnPlan<T> const& column_plan(int length);

}  // namespace nearfar

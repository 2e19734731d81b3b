// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "codelets/points/bin/bin.hpp"
#include "core/kernels/description/strength_unit.hpp"

namespace nearfar {

/// Pointers of a Bin task.
template <class T>
struct BinLaunch {
  BinArgs args;
  RowPieces<T const> rows;  ///< the caller's
  StrengthUnit const* units = nullptr;
  std::uint32_t const* index = nullptr;
  std::int32_t const* points = nullptr;  ///< the number of points
  T const* position = nullptr;
  void* out = nullptr;  ///< strengths, numbers of precision T, or single (BinArgs)
  std::int64_t stride = 0;
  void* packed = nullptr;  ///< numbers of precision T, or single (BinArgs); or null
};

/// Reorders the strengths on a stream; returns at once. `bad` receives the first number that is not
/// finite, by its place in the caller's rows. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_bin(BinLaunch<T> const& launch, BadNumber* bad, void* stream);

}  // namespace nearfar

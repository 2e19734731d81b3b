// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "codelets/points/deal/deal.hpp"

namespace nearfar {

/// Pointers of a DealStrengths task.
template <class T>
struct DealLaunch {
  DealStrengthsArgs args;
  RowPieces<T const> rows;  ///< of the stretch
  std::uint32_t const* chosen = nullptr;
  std::int64_t count = 0;
  T* out = nullptr;
};

/// Packs rows on a stream; returns at once. `bad` receives the first number that is not finite, by its place in the
/// caller's rows. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_deal(DealLaunch<T> const& launch, BadNumber* bad, void* stream);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "codelets/points/merge/merge_body.hpp"

namespace nearfar {

/// Points of a chunk whose sums go to consecutive rows; null: all, to the rows that the view says.
struct ChosenPoints {
  std::uint32_t const* point = nullptr;
  int count = 0;
};

/// Merges points of the chunk on a stream; returns at once. `bad` receives the first sum that is out of the
/// range of T, with its exponent and place in the caller's rows. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_merge(MergeView<T> const& view, ChosenPoints chosen, BadNumber* bad, void* stream);

/// Copies rows to those of these numbers, likewise.
template <class T>
void launch_take(T const* rows, std::uint32_t const* place, int count, RowPieces<T> const& results, void* stream);

}  // namespace nearfar

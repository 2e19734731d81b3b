// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/loop.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tasks/points/planned_points.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// The strengths that the callers of all ranks give a solve, stored where this rank's tasks find them.
template <class T>
struct GivenStrengths {
  GivenArrays<T const> rows;     ///< of all sources; with several ranks those that this one sorts, by Routes
  std::int64_t row = 0;          ///< numbers in each row
  std::vector<double> largest;   ///< with several ranks: over all strengths, as Largest finds for a range
  std::uint64_t sent_bytes = 0;  ///< by this rank
  Arena<T> memory{};             ///< for rows that are not the caller's own
  StagedRows<T> pieces{};        ///< of that memory, if this rank's GPU runs all stages; on their way there

  bool are_callers() const noexcept { return memory.size() == 0; }
};

/// `mine`: `vectors` rows of `strengths` for each source that this rank gives. One process uses them in place. With
/// several ranks, which give one array each, one exchange sends each row to the rank that sorts it; `workers` copy if
/// there are many rows. All ranks then throw Error{bad_input} for a strength that is not finite, naming the source by
/// its number among those of all ranks.
template <class T>
GivenStrengths<T> given_strengths(Ranks const& ranks, PlannedPoints<T> const& points, GivenArrays<T const> const& mine,
                                  RowShape const& strengths, int vectors, Loop const& workers);

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/arena.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/planned_points.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// What the callers of all ranks give a solve, where the tasks of this one find it.
template <class T>
struct GivenStrengths {
  std::span<T const> rows;       ///< of all sources; of several ranks those that this one sorts, as Routes says
  std::int64_t row = 0;          ///< numbers in each
  std::vector<double> largest;   ///< of several ranks: of all strengths, what Largest finds of a range
  std::uint64_t sent_bytes = 0;  ///< by this rank
  Arena<T> memory{};             ///< of rows that are not the caller's own
};

/// `mine`: for each source that this rank gives `vectors` times `strengths` numbers. One process has them where they
/// are; of several ranks each row goes to the one that sorts it, in one exchange. There all throw Error{bad_input} for
/// a strength that is not finite, which names the source by its number among those of all ranks.
template <class T>
GivenStrengths<T> given_strengths(Ranks const& ranks, PlannedPoints<T> const& points, std::span<T const> mine,
                                  int strengths, int vectors);

}  // namespace nearfar::detail

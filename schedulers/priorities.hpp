// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// The priorities of tasks that policies treat in a special way. Which stage has which
/// priority, and why, is in codelets/common/stages.hpp; a task carries its number, or the next
/// one if another rank waits for it. All are even, and between filler_priority and
/// heteroprio's number of buckets (schedulers/heteroprio.hpp).
inline constexpr int filler_priority = 0;  ///< nothing but the last merge waits: fills the gaps of the others
inline constexpr int bulk_priority = 2;    ///< most of the far part
inline constexpr int far_end_priority = 4;
inline constexpr int opening_priority = 14;  ///< both parts of a solve begin with it

constexpr bool is_filler(int priority) { return priority <= filler_priority; }

/// Only merges of this rank wait for it, at the end of the far part.
constexpr bool ends_the_far_part(int priority) { return priority == far_end_priority; }

constexpr bool opens_both_parts(int priority) { return priority / 2 == opening_priority / 2; }

/// Tasks for which a scheduler without measured times should reserve a GPU: the bulk
/// of the work of a solve, with the most work for each number that is moved. GPUs
/// can run others too, but those are so short there that starting them takes longer.
constexpr bool suits_gpus(int priority) { return priority <= bulk_priority + 1; }

}  // namespace nearfar

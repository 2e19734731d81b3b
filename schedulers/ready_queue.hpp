// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <starpu.h>
#include <tuple>

namespace nearfar {

/// A task that could run now. Sorted by solve, by rank, the highest first, and by arrival.
struct Ready {
  starpu_tag_t solve;    ///< of filler that is for CPUs: the end of one solve goes before filler of the next; else 0
  int rank;              ///< priority in the far-field chain; of filler, how large it is
  std::uint64_t number;  ///< of arrival
  int home;              ///< the worker whose task made this one ready: its cache may hold the data
  starpu_task* task;

  bool equals(Ready const& other) const { return solve == other.solve && rank == other.rank; }
  bool operator<(Ready const& other) const {
    return std::tuple(solve, other.rank, number) < std::tuple(other.solve, rank, other.number);
  }
};
using Queue = std::set<Ready>;

/// The first task of the queue that the worker can run; among equals near the front, one that is at home there. Both
/// set the implementation that the worker would run: of several, one that is not measured yet, else the fastest.
Queue::iterator pick(Queue const& queue, unsigned worker);

/// The next one after `i` that the worker can run.
Queue::iterator pick_after(Queue const& queue, Queue::iterator i, unsigned worker);

/// From the other end: CPUs that share filler with GPUs take the smallest, since the end of a large one would be waited
/// for.
Queue::iterator pick_small(Queue const& queue, unsigned worker);

}  // namespace nearfar

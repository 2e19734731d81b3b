// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <starpu.h>
#include <tuple>

namespace nearfar {

/// A task that is ready. Sorted by solve, then by sort key, highest first, then by arrival.
struct Ready {
  starpu_tag_t solve;    ///< of filler for CPUs: the end of one solve precedes filler of the next; else 0
  int sort_key;          ///< priority in the far-field chain; for filler, its size
  std::uint64_t number;  ///< of its arrival
  int home;              ///< the worker whose task made this one ready: its cache may hold the data
  starpu_task* task;
  bool on_gpus = false;  ///< whether a GPU worker can run it; others of its stage may be kept from GPUs

  bool equals(Ready const& other) const { return solve == other.solve && sort_key == other.sort_key; }
  bool operator<(Ready const& other) const {
    return std::tuple(solve, other.sort_key, number) < std::tuple(other.solve, sort_key, other.number);
  }
};
using Queue = std::set<Ready>;

/// The first task of the queue that the worker can run; among equal ones near the front, one that is at home there.
/// Both set the implementation for the worker: of several, one that has not been measured yet, else the fastest.
Queue::iterator pick(Queue const& queue, unsigned worker);

/// The next one after `i` that the worker can run.
Queue::iterator pick_after(Queue const& queue, Queue::iterator i, unsigned worker);

/// From the other end: CPUs that share filler with GPUs take the smallest
/// tasks, because everybody would wait for the end of a large one.
Queue::iterator pick_small(Queue const& queue, unsigned worker);

}  // namespace nearfar

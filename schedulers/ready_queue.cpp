// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/ready_queue.hpp"

#include <cmath>
#include <starpu_scheduler.h>

namespace nearfar {

namespace {

/// Sets the implementation that the worker would run: among several, one not yet measured, or else the fastest.
bool can_run(unsigned worker, starpu_task* task) {
  unsigned mask = 0;
  if (!starpu_worker_can_execute_task_impl(worker, task, &mask) || mask == 0) return false;
  unsigned best = 0;
  double least = HUGE_VAL;
  for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; ++i) {
    if ((mask & (1U << i)) == 0) continue;
    if (mask == 1U << i) least = 0, best = i;
    if (least == 0) break;
    double const length = starpu_task_expected_length(task, starpu_worker_get_perf_archtype(int(worker), 0), i);
    double const known = length > 0 ? length : 0;
    if (known < least) least = known, best = i;
  }
  starpu_task_set_implementation(task, best);
  return true;
}

}  // namespace

Queue::iterator pick(Queue const& queue, unsigned worker) {
  constexpr int depth = 16;
  int seen = 0;
  for (auto i = queue.begin(); i != queue.end() && i->equals(*queue.begin()) && seen < depth; ++i, ++seen)
    if (i->home == int(worker) && can_run(worker, i->task)) return i;
  auto const first = queue.begin();
  return first == queue.end() || can_run(worker, first->task) ? first : pick_after(queue, first, worker);
}

Queue::iterator pick_after(Queue const& queue, Queue::iterator i, unsigned worker) {
  do ++i;
  while (i != queue.end() && !can_run(worker, i->task));
  return i;
}

Queue::iterator pick_small(Queue const& queue, unsigned worker) {
  for (auto i = queue.end(); i != queue.begin();)
    if (can_run(worker, (--i)->task)) return i;
  return queue.end();
}

}  // namespace nearfar

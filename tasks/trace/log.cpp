// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace/log.hpp"

#include <algorithm>
#include <cstdio>
#include <starpu_fxt.h>
#include <starpu_profiling.h>

namespace nearfar::detail {

namespace {

void event(std::string const& text) {
#ifdef STARPU_USE_FXT
  if (starpu_fxt_is_enabled()) starpu_fxt_trace_user_event_string(text.c_str());
#else
  (void)text;
#endif
}

std::string memory_name(int node) {
  char name[64];
  starpu_memory_node_get_name(unsigned(node), name, sizeof name);
  return name;
}

/// Transfers since the last call, because reading resets StarPU's counters.
std::vector<Transfers> transfers() {
  std::vector<Transfers> result;
  for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
    starpu_profiling_bus_info info{};
    if (starpu_bus_get_profiling_info(bus, &info) != 0 || info.transfer_count == 0) continue;
    result.push_back({memory_name(starpu_bus_get_src(bus)), memory_name(starpu_bus_get_dst(bus)), info.transfer_count,
                      info.transferred_bytes});
  }
  return result;
}

}  // namespace

TraceLog::TraceLog(bool starpu_is_ours) : ours_(starpu_is_ours) {
  if (!ours_) return;
  transfers();
  start_starpu_bound();
}

void TraceLog::add(EndedSolve const& solve, std::deque<TaskRecord> const& tasks,
                   std::deque<MessageRecord> const& messages) noexcept {
  std::lock_guard const lock(mutex_);
  try {
    for (auto const& task : tasks) models_.insert({task.model, task.footprint});
    content_.solves.push_back(
        {solve.number, solve.submitted, solve.closed, solve.end, tasks, messages, solve.together});
    event("nearfar: solve " + std::to_string(solve.number) + " has ended");
  } catch (...) {
    ++lost_;
  }
}

void TraceLog::mark(std::string const& text) {
  std::lock_guard const lock(mutex_);
  content_.marks.emplace_back(starpu_timing_now(), text);
  event(text);
}

TraceContent TraceLog::finish() {
  std::lock_guard const lock(mutex_);
  std::ranges::sort(content_.solves, {}, &TracedSolve::number);
  if (ours_) {
    content_.transfers = transfers();
    content_.starpu_bound = starpu_bound(models_);
  }
  if (lost_ > 0)
    std::fprintf(stderr, "nearfar: warning: the trace lacks %d solves (there was not enough memory to keep them)\n",
                 lost_);
  return std::move(content_);
}

}  // namespace nearfar::detail

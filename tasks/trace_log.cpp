// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace_log.hpp"

#include <algorithm>
#include <cstdio>
#include <starpu_bound.h>
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

/// Since the last call: reading sets StarPU's counts back.
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

/// StarPU's linear program over its own models, without dependencies. It has no answer while a model is not
/// calibrated, and a huge one where a model lacks the only kind of worker there is.
double starpu_bound() {
  starpu_bound_stop();
  double milliseconds = 0, whole_numbers = 0;
  starpu_bound_compute(&milliseconds, &whole_numbers, 0);
  constexpr double longest = 1e8;
  return milliseconds > 0 && milliseconds < longest ? milliseconds * 1e-3 : 0;
}

}  // namespace

TraceLog::TraceLog() {
  transfers();
  starpu_bound_start(0, 0);
}

void TraceLog::add(unsigned solve, double submitted, double closed, double end,
                   std::deque<TaskRecord> const& tasks) noexcept {
  std::lock_guard const lock(mutex_);
  try {
    content_.solves.push_back({solve, submitted, closed, end, tasks});
    event("nearfar: solve " + std::to_string(solve) + " has ended");
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
  content_.transfers = transfers();
  content_.starpu_bound = starpu_bound();
  if (lost_ > 0)
    std::fprintf(stderr, "nearfar: warning: the trace lacks %d solves (there was not enough memory to keep them)\n",
                 lost_);
  return std::move(content_);
}

}  // namespace nearfar::detail

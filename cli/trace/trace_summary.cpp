// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace/trace_summary.hpp"

#include "cli/bench/stages/work_bound.hpp"

#include <algorithm>
#include <functional>

namespace nearfar::cli {

namespace {

double length(Trace::Task const& task) { return task.end - task.start; }

void add_task(TraceSummary::Share& share, Trace const& trace, Trace::Task const& task) {
  ++share.tasks;
  share.busy += length(task);
  share.longest = std::max(share.longest, length(task));
  share.busy_by_kind[trace.workers[task.worker].kind] += length(task);
}

/// How long near and far tasks ran at the same time: a walk over all starts and ends.
void measure_overlap(Trace const& trace, TraceSummary& summary) {
  struct Step {
    double time;
    int near, far;
  };
  std::vector<Step> steps;
  for (auto const& task : trace.tasks) {
    auto const& branch = trace.stages[task.stage].branch;
    int const near = branch == "near", far = branch == "far";
    if (near + far == 0) continue;
    steps.push_back({task.start, near, far});
    steps.push_back({task.end, -near, -far});
  }
  std::ranges::sort(steps, {}, &Step::time);
  int near = 0, far = 0;
  double before = 0;
  for (auto const& step : steps) {
    if (far > 0) summary.far += step.time - before;
    if (far > 0 && near > 0) summary.overlap += step.time - before;
    before = step.time;
    near += step.near;
    far += step.far;
  }
}

/// The time during which solves were in flight, and the gaps between them.
void measure_time(Trace const& trace, TraceSummary& summary) {
  auto solves = trace.solves;
  std::ranges::sort(solves, {}, &Trace::Solve::submitted);
  double until = solves.empty() ? 0 : solves.front().submitted;
  for (auto const& solve : solves) {
    summary.between += std::max(0.0, solve.submitted - until);
    summary.seconds += std::max(0.0, solve.end - std::max(until, solve.submitted));
    until = std::max(until, solve.end);
  }
}

constexpr auto none = std::size_t(-1);

/// For each task, the longest chain that ends with it, and the previous task in that chain.
struct Chains {
  std::vector<double> seconds;
  std::vector<std::size_t> before;

  Chains(Trace const& trace, bool across_solves) : seconds(trace.tasks.size()), before(trace.tasks.size(), none) {
    for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
      auto const& task = trace.tasks[i];
      for (auto const earlier : task.after)
        if (across_solves || trace.tasks[earlier].solve == task.solve)
          if (before[i] == none || seconds[earlier] > seconds[before[i]]) before[i] = earlier;
      seconds[i] = length(task) + (before[i] != none ? seconds[before[i]] : 0);
    }
  }
};

void add_critical_path(Trace const& trace, TraceSummary& summary) {
  Chains const chains{trace, true};
  auto const end = std::ranges::max_element(chains.seconds);
  summary.critical_path = *end;
  for (auto i = std::size_t(end - chains.seconds.begin()); i != none; i = chains.before[i]) {
    summary.critical.push_back(i);
    summary.stages[trace.tasks[i].stage].critical += length(trace.tasks[i]);
    summary.workers[trace.tasks[i].worker].critical += length(trace.tasks[i]);
  }
  std::ranges::reverse(summary.critical);
}

void add_solves(Trace const& trace, TraceSummary& summary) {
  Chains const chains{trace, false};
  std::map<int, TraceSummary::Solve> solves;
  for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
    auto& solve = solves[trace.tasks[i].solve];
    ++solve.tasks;
    solve.busy += length(trace.tasks[i]);
    solve.critical = std::max(solve.critical, chains.seconds[i]);
  }
  for (auto const& solve : trace.solves) summary.solves.push_back(solves[solve.number]);
}

}  // namespace

double TraceSummary::bound() const noexcept { return std::max(critical_path, work_bound); }

double TraceSummary::idle(std::size_t worker) const noexcept {
  return std::max(0.0, seconds - workers[worker].busy - workers[worker].waiting);
}

TraceSummary summarise(Trace const& trace) {
  TraceSummary summary;
  summary.stages.resize(trace.stages.size());
  summary.workers.resize(trace.workers.size());
  for (auto const& task : trace.tasks) {
    add_task(summary.stages[task.stage], trace, task);
    add_task(summary.workers[task.worker], trace, task);
  }
  for (auto const& wait : trace.waits) {
    summary.stages[trace.tasks[wait.task].stage].waiting += wait.end - wait.start;
    summary.workers[trace.tasks[wait.task].worker].waiting += wait.end - wait.start;
  }
  add_solves(trace, summary);
  measure_time(trace, summary);
  measure_overlap(trace, summary);
  add_critical_path(trace, summary);
  summary.work_bound = work_bound(trace);
  return summary;
}

}  // namespace nearfar::cli

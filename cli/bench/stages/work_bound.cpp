// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/stages/work_bound.hpp"

#include <algorithm>
#include <array>

namespace nearfar::cli {

namespace {

/// CPUs first. There is only one kind of GPU: StarPU drives those of one vendor at a time.
enum Kind : std::size_t { cpu, gpu };

struct Work {
  std::array<double, 2> seconds{};
  std::array<double, 2> tasks{};

  bool on_both() const { return tasks[cpu] > 0 && tasks[gpu] > 0; }
  double mean(Kind kind) const { return seconds[kind] / tasks[kind]; }
  double on(Kind kind) const { return on_both() ? mean(kind) * (tasks[cpu] + tasks[gpu]) : seconds[kind]; }
  double gain() const { return mean(cpu) / mean(gpu); }
};

}  // namespace

double work_bound(Trace const& trace) {
  auto const kind_of = [&](std::size_t worker) { return trace.workers[worker].kind == "cpu" ? cpu : gpu; };
  std::array<double, 2> workers{};
  for (std::size_t i = 0; i < trace.workers.size(); ++i) ++workers[kind_of(i)];
  std::vector<Work> stages(trace.stages.size());
  for (auto const& task : trace.tasks) {
    auto const kind = kind_of(task.worker);
    stages[task.stage].seconds[kind] += task.end - task.start;
    ++stages[task.stage].tasks[kind];
  }

  // All movable work starts on the CPUs. It then moves to the GPUs, what gains most there first, until the loads are
  // even.
  std::array<double, 2> load{};
  std::vector<Work> movable;
  for (auto const& work : stages) {
    if (work.on_both()) movable.push_back(work), load[cpu] += work.on(cpu);
    else load[cpu] += work.on(cpu), load[gpu] += work.on(gpu);
  }
  std::ranges::sort(movable, std::greater{}, &Work::gain);
  for (auto const& work : movable) {
    // The part p with (load[cpu] - p c) / workers[cpu] = (load[gpu] + p g) / workers[gpu].
    double const c = work.on(cpu), g = work.on(gpu);
    double const even = (load[cpu] * workers[gpu] - load[gpu] * workers[cpu]) / (c * workers[gpu] + g * workers[cpu]);
    double const part = std::clamp(even, 0.0, 1.0);
    load[cpu] -= part * c;
    load[gpu] += part * g;
    if (part < 1) break;
  }
  double bound = 0;
  for (auto const kind : {cpu, gpu})
    if (workers[kind] > 0) bound = std::max(bound, load[kind] / workers[kind]);
  return bound;
}

}  // namespace nearfar::cli

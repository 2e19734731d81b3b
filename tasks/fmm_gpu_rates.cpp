// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_gpu_rates.hpp"

#include "tasks/fmm_sample.hpp"
#include "tasks/kept_rates.hpp"

#include <algorithm>
#include <vector>

namespace nearfar::detail {

namespace {

constexpr int rounds = 4;  // after one in which tables and points go to the GPU

/// Seconds of the tasks without what each costs, which is at most most of it.
double without_tasks(Occupied const& o, double task) { return std::max(o.seconds - task * o.tasks, 0.2 * o.seconds); }

template <class T>
FmmGpuTime time_of(Solve const& solve, FmmSample<T> const& sample, unsigned worker) {
  auto const& tasks = solve.state()->tasks();
  auto const of = [&](std::initializer_list<std::string_view> stages) { return occupied(tasks, int(worker), stages); };
  double const start = start_seconds(tasks, int(worker), "p2m");
  Occupied sources = of({"p2m"});
  sources.seconds -= start;
  return {of({"p2p"}),
          of({"m2l"}),
          of({"m2m", "l2l"}),
          sources,
          of({"l2p"}),
          start,
          double(sample.parameters().translations)};
}

/// Each part as short as it was in any round.
void take_shorter(FmmGpuTime& best, FmmGpuTime const& next) {
  for (auto const part :
       {&FmmGpuTime::pairs, &FmmGpuTime::links, &FmmGpuTime::shifts, &FmmGpuTime::sources, &FmmGpuTime::targets})
    if ((next.*part).seconds < (best.*part).seconds) best.*part = next.*part;
  best.start = std::min(best.start, next.start);
}

}  // namespace

Occupied occupied(std::deque<TaskRecord> const& tasks, int worker, std::initializer_list<std::string_view> stages) {
  std::vector<TaskRecord const*> mine;
  for (TaskRecord const& task : tasks)
    if (task.worker == worker) mine.push_back(&task);
  std::sort(mine.begin(), mine.end(), [](auto const* a, auto const* b) { return a->end < b->end; });
  Occupied sum;
  double before = 0;  // end of the last one
  for (TaskRecord const* task : mine) {
    double const begin = std::exchange(before, task->end);
    if (std::find(stages.begin(), stages.end(), task->stage) == stages.end()) continue;
    sum.seconds += 1e-6 * (task->end - std::max(task->ready, begin));
    sum.flops += task->flops;
    ++sum.tasks;
  }
  return sum;
}

double start_seconds(std::deque<TaskRecord> const& tasks, int worker, std::string_view stage) {
  TaskRecord const* first = nullptr;
  for (TaskRecord const& task : tasks)
    if (task.worker == worker && (first == nullptr || task.end < first->end)) first = &task;
  if (first == nullptr || first->stage != stage) return 0;
  Occupied const all = occupied(tasks, worker, {stage});
  double const seconds = 1e-6 * (first->end - first->ready);
  return all.tasks > 1 ? std::max(0.0, seconds - (all.seconds - seconds) / (all.tasks - 1)) : 0;
}

FmmGpuRates fit_fmm_gpu_rates(FmmGpuTime const& low, FmmGpuTime const& middle, FmmGpuTime const& high) {
  FmmGpuRates r;
  auto const line = [](Occupied const& few, Occupied const& many, double& slope, double& offset) {
    fit_line(few.flops / few.tasks, few.seconds / few.tasks, many.flops / many.tasks, many.seconds / many.tasks, slope,
             offset);
  };
  auto const link = [&](FmmGpuTime const& t) { return without_tasks(t.links, r.task) / t.link_count; };
  line(middle.pairs, high.pairs, r.pair, r.task);
  line(low.targets, middle.targets, r.target, r.short_task);
  r.source = without_tasks(middle.sources, r.short_task) / middle.sources.flops;
  r.high_source = without_tasks(high.sources, r.short_task) / high.sources.flops;
  r.low_link = link(low);
  r.middle_link = link(middle);
  r.high_link = link(high);
  r.shift = without_tasks(middle.shifts, r.short_task) / middle.shifts.flops;
  r.high_shift = without_tasks(high.shifts, r.short_task) / high.shifts.flops;
  constexpr double least = 1e-6;
  r.start = std::max({least, low.start, middle.start, high.start});
  return r;
}

template <class T>
FmmGpuRates measure_fmm_gpu(std::shared_ptr<RuntimeState> const& runtime, unsigned worker, std::size_t points,
                            int depth) {
  auto const [low, middle, high] = fmm_gpu_orders<T>;
  FmmOptions options{.gradient = true, .capacity = 0, .well_separation = 1};
  std::vector<FmmSample<T>> samples;
  struct Tree {
    int order, depth;
  };
  for (Tree const tree : {Tree{low, depth}, Tree{middle, depth}, Tree{high, depth - 1}}) {
    options.order = tree.order;
    options.depth = tree.depth;
    samples.emplace_back(runtime, options, 1, points, 1);
  }
  std::vector<FmmGpuTime> times(samples.size());
  for (int round = -1; round < rounds; ++round)
    for (std::size_t i = 0; i < samples.size(); ++i) {
      FmmGpuTime const time = time_of(samples[i].solve(Trial{worker}), samples[i], worker);
      if (round <= 0) times[i] = time;
      else take_shorter(times[i], time);
    }
  return fit_fmm_gpu_rates(times[0], times[1], times[2]);
}

template FmmGpuRates measure_fmm_gpu<double>(std::shared_ptr<RuntimeState> const&, unsigned, std::size_t, int);
template FmmGpuRates measure_fmm_gpu<float>(std::shared_ptr<RuntimeState> const&, unsigned, std::size_t, int);

}  // namespace nearfar::detail

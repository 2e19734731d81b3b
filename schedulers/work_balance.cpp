// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/work_balance.hpp"

#include <algorithm>
#include <utility>

namespace nearfar {

namespace {

// Until something is measured only ratios matter: a GPU is assumed to be worth this many cores.
constexpr double unmeasured = 1e-9, gpu_speed = 16;
// Weight of earlier tasks' times at each new one. They are dropped if they were far slower than the new task: the first
// ones on a GPU wait for memory allocations, a hundred times as long as they compute.
constexpr double remembered = 0.9, surprise = 0.25;

}  // namespace

void WorkBalance::submitted(Stage stage, bool filler, double flops) {
  Work& work = stages_[stage];
  work.filler = filler;
  work.left += flops;
}

void WorkBalance::ended(Stage stage, Kind kind, double flops, double seconds) {
  Work& work = stages_[stage];
  work.left = std::max(0.0, work.left - flops);
  if (kind == Kind::cpu) work.on_cpus = std::max(0.0, work.on_cpus - flops);
  if (!std::exchange(work.begun[int(kind)], true) && kind == Kind::gpu) return;  // it waited for its code to be loaded
  bool const waited = seconds * work.flops[int(kind)] < surprise * flops * work.seconds[int(kind)];
  double const kept = waited ? 0 : remembered;
  work.flops[int(kind)] = kept * work.flops[int(kind)] + flops;
  work.seconds[int(kind)] = kept * work.seconds[int(kind)] + seconds;
}

double WorkBalance::seconds_per_flop(Work const& work, Kind kind) {
  int const here = int(kind), there = 1 - here;
  if (work.flops[here] > 0) return work.seconds[here] / work.flops[here];
  double const other = work.flops[there] > 0 ? work.seconds[there] / work.flops[there]
                       : kind == Kind::cpu   ? unmeasured / gpu_speed
                                             : unmeasured;
  return kind == Kind::cpu ? other * gpu_speed : other / gpu_speed;
}

double WorkBalance::left_in_far() const {
  double seconds = 0;
  for (auto const& [stage, work] : stages_)
    if (!work.filler) seconds += work.left * seconds_per_flop(work, Kind::cpu);
  return seconds;
}

double WorkBalance::left_on_gpus(Work const& work) const {
  return std::max(0.0, work.left - work.on_cpus) * seconds_per_flop(work, Kind::gpu) /
         std::max(1, workers_[int(Kind::gpu)]);
}

double WorkBalance::left_on_gpus(bool filler_alone) const {
  double seconds = 0;
  for (auto const& [stage, work] : stages_)
    if (work.suits && (work.filler || !filler_alone)) seconds += left_on_gpus(work);
  return seconds;
}

bool WorkBalance::gpus_keep_to_filler() const {
  return left_on_gpus(true) >= left_in_far() / std::max(1, workers_[int(Kind::cpu)]);
}

bool WorkBalance::leave_to_gpus(Stage stage, double flops) const {
  auto const found = stages_.find(stage);
  if (found == stages_.end() || !found->second.on_gpus || workers_[int(Kind::gpu)] == 0) return false;
  Work const& work = found->second;
  double const here = flops * seconds_per_flop(work, Kind::cpu);
  return work.suits ? left_on_gpus(false) < here : !gpus_keep_to_filler() && left_on_gpus(work) < here;
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/shared_work.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// Whether all work fits into so many seconds. `work` is in the order in which CPU workers take it.
bool fits(std::vector<SharedWork> const& work, int cpus, int gpus, double seconds) {
  double on_cpus = 0, on_gpus = 0;
  for (SharedWork const& w : work) {
    // On average the last task would begin half a task before the end; it is left to GPUs, so CPUs have that much less
    // room.
    double const room = std::min(cpus * seconds - on_cpus, cpus * (seconds - w.task / 2));
    double const taken = w.gpu > 0 ? std::clamp(room, 0.0, w.cpu) : w.cpu;
    on_cpus += taken;
    if (taken < w.cpu) on_gpus += w.gpu * (1 - taken / w.cpu);
  }
  constexpr double rounding = 1 + 1e-12;
  return on_cpus <= rounding * cpus * seconds && (on_gpus <= 0 || on_gpus <= gpus * seconds);
}

}  // namespace

double shared_seconds(std::vector<SharedWork> work, int cpus, int gpus) {
  double on_cpus = 0;
  for (SharedWork& w : work) {
    if (gpus <= 0) w.gpu = 0;
    on_cpus += w.cpu / std::max(1, cpus);
  }
  auto const gain = [](SharedWork const& w) { return w.gpu > 0 ? w.cpu / w.gpu : 0; };
  std::stable_sort(work.begin(), work.end(),
                   [&](SharedWork const& a, SharedWork const& b) { return gain(a) < gain(b); });
  if (work.empty() || work.back().gpu <= 0) return on_cpus;
  double low = 0, high = on_cpus;  // by CPUs alone
  for (SharedWork const& w : work) high += w.task;
  for (int i = 0; i < 40; ++i) {
    double const middle = (low + high) / 2;
    (fits(work, std::max(1, cpus), gpus, middle) ? high : low) = middle;
  }
  return high;
}

double span_seconds(SharedWork const& stage, double tasks, int cpus, int gpus) {
  double const task = stage.cpu / std::max(1.0, tasks);
  bool const by_gpus = gpus > 0 && stage.gpu > 0;
  return std::max(shared_seconds({stage}, cpus, gpus), by_gpus ? std::min(task, stage.gpu / gpus) : task);
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/machine_shape.hpp"

#include "core/shared_work.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr double gpu_task_length = 1e-3;  // seconds

}  // namespace

double MachineShape::gpu_tasks(Work const& work) const noexcept {
  double const full = gpu_target * work.targets + gpu_flop * work.near_flops;
  return std::clamp(full / gpu_task_length, 1.0 * cpus, 4.0 * cpus);
}

double MachineShape::near_gpu_seconds(Work const& work) const noexcept {
  if (gpus <= 0) return 0;
  double const tasks = gpu_tasks(work);
  return gpu_task * tasks + gpu_target * work.targets +
         (gpu_flop + gpu_latency * tasks / std::max(1.0, work.targets)) * work.near_flops;
}

double MachineShape::seconds(double pairs, double points, double far, double pairs_gpu, double task) const noexcept {
  int const workers = std::max(1, cpus);
  // GPUs wait until points are binned, and merging waits for them.
  double const waiting = pairs_gpu > 0 ? gpus * points / workers : 0;
  return shared_seconds({{points + far}, {pairs, pairs_gpu + waiting, task}}, workers, gpus);
}

double MachineShape::span(double seconds, double tasks) const noexcept {
  return tasks > 0 ? seconds / tasks * std::ceil(tasks / std::max(1, cpus)) : 0;
}

double MachineShape::until_last(double seconds, double task) const noexcept {
  return seconds + (1 - 1.0 / std::max(1, cpus)) * task / 2;
}

double MachineShape::cost(Work const& work) const noexcept {
  if (gpus <= 0) return work.total();
  return std::max(1, cpus) * seconds(work.near - work.points, work.points, work.far(), near_gpu_seconds(work));
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/machine_shape.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr double gpu_task_length = 1e-3;  // seconds

/// In seconds of all CPU workers together: (far + x near) = (1 - x) gpu, where that x is above 0.
double shared(double near, double far, double gpu) {
  if (gpu <= far) return far;
  double const x = (gpu - far) / (near + gpu);
  return far + x * near;
}

}  // namespace

double MachineShape::gpu_tasks(Work const& work) const noexcept {
  return std::clamp(gpu_flop * work.near_flops / gpu_task_length, 1.0 * cpus, 4.0 * cpus);
}

double MachineShape::near_gpu_seconds(Work const& work) const noexcept {
  if (gpus <= 0) return 0;
  double const tasks = gpu_tasks(work);
  return gpu_task * tasks + (gpu_flop + gpu_latency * tasks / std::max(1.0, work.targets)) * work.near_flops;
}

double MachineShape::seconds(double near, double far, double near_gpu) const noexcept {
  int const workers = std::max(1, cpus);
  if (gpus <= 0) return (near + far) / workers;
  return shared(near, far, near_gpu * workers / gpus) / workers;
}

double MachineShape::span(double seconds, double tasks) const noexcept {
  return tasks > 0 ? seconds / tasks * std::ceil(tasks / std::max(1, cpus)) : 0;
}

double MachineShape::until_last(double seconds, double task) const noexcept {
  return seconds + (1 - 1.0 / std::max(1, cpus)) * task / 2;
}

double MachineShape::cost(Work const& work) const noexcept {
  if (gpus <= 0) return work.total();
  return shared(work.near, work.far(), near_gpu_seconds(work) * std::max(1, cpus) / gpus);
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/machine.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

bool Machine::all_on_gpus(double targets) const noexcept {
  constexpr double least = 1e4;
  return gpus > 0 && all_stages && targets >= least;
}

Machine Machine::for_points(double points) const {
  Machine machine = *this;
  if (all_on_gpus(points) && points < least_shared) machine.gpus = 1;
  return machine;
}

SharedWork Machine::seconds_of(WorkRow row, double reference, bool in_single) const noexcept {
  Throughputs const& worth = in_single ? speed_in_single : speed;
  double const gpu = gpus > 0 ? worth.gpu[row] : 0;
  return {reference / worth.cpu[row], gpu > 0 ? reference / gpu : 0};
}

double Machine::seconds(double pairs, double points, double far, double pairs_gpu, double task) const {
  int const workers = std::max(1, cpus);
  // GPUs are idle while points are binned, and again while results are merged.
  double const waiting = pairs_gpu > 0 ? gpus * points / workers : 0;
  return shared_seconds({{points + far}, {pairs, pairs_gpu + waiting, task}}, workers, gpus);
}

double Machine::span(double seconds, double tasks) const noexcept {
  return tasks > 0 ? seconds / tasks * std::ceil(tasks / std::max(1, cpus)) : 0;
}

double Machine::until_last(double seconds, double task) const noexcept {
  return seconds + (1 - 1.0 / std::max(1, cpus)) * task / 2;
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nearfar {

/// One kind of work that all workers of a machine share: the seconds that one CPU worker takes for it, or one GPU.
struct SharedWork {
  double cpu = 0;
  double gpu = 0;  ///< 0: only CPU workers can do it
  /// The seconds of one task on a CPU worker, which begins none that GPUs would have done before its end.
  double task = 0;
};

/// Seconds until all is done, were no worker idle that could do something: GPUs do what they gain most with, and CPU
/// workers so much of the rest that both end together.
double shared_seconds(std::vector<SharedWork> work, int cpus, int gpus);

/// Of one stage with so many equal tasks: not before CPU workers have done one each, if GPUs do not do all before.
double span_seconds(SharedWork const& stage, double tasks, int cpus, int gpus);

}  // namespace nearfar

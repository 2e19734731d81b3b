// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/fmm/costs.hpp"
#include "core/plan/fmm/wire.hpp"
#include "tasks/fmm/tree.hpp"

namespace nearfar::detail {

/// Who shares the tasks; `gpu` is what they take on one GPU, and what each costs there beside its work.
struct FmmWorkers {
  int cpus = 1;
  int gpus = 0;
  FmmSeconds gpu{};
  double task = gpu_task, short_task = gpu_short_task, start = gpu_start;
  bool on_gpu = false;  ///< which does all
  double wire = 0;      ///< seconds by which messages between ranks make the far part longer
};

/// Seconds that a solve with one charge vector takes.
struct FmmPrediction {
  double work = 0;    ///< of one CPU worker
  double shared = 0;  ///< of all workers that share it, were none ever idle
  double chain = 0;   ///< far part: stage after stage, level by level, as the workers share the tasks, with its
                      ///< messages; or P2P
  double last = 0;    ///< the task that a CPU worker is in at a moment, on average
};
FmmPrediction predict_fmm(FmmTree const& tree, FmmSeconds const& seconds, FmmWorkers const& workers);

/// What the rank sends that sends most, of `ranks` whose blocks these are: each block whole, once to each rank that
/// reads it. Of expansions in `box` bytes for each box, and strengths in `source` bytes for each source.
FmmWire wire_of(FmmTree const& tree, int ranks, double box, double source);

/// Tasks of a stage for the CPU workers of so many ranks: enough to share, and few, since each costs some submission.
double wanted_tasks(int cpus, int ranks);

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/fmm/communication.hpp"
#include "core/plan/fmm/costs.hpp"
#include "tasks/fmm/tree/tree.hpp"

#include <nearfar/fmm.hpp>

namespace nearfar::detail {

/// Who shares the tasks; `gpu` is what they take on one GPU, and what each costs there beside its work.
struct FmmWorkers {
  int cpus = 1;
  int gpus = 0;
  FmmSeconds gpu{};
  double task = gpu_task, short_task = gpu_short_task, start = gpu_start;
  bool on_gpu = false;       ///< which does all
  double communication = 0;  ///< seconds by which messages between ranks make the far part longer
};

/// Seconds of a solve with one vector of charges.
struct FmmPrediction {
  double work = 0;    ///< of one CPU worker
  double shared = 0;  ///< of all workers that share it, if none were ever idle
  double chain = 0;   ///< far part: stage after stage, level by level, as the workers share the tasks, with its
                      ///< messages; or P2P
  double last = 0;    ///< mean length of the task that a CPU worker runs at a random moment
};
FmmPrediction predict_fmm(FmmTree const& tree, FmmSeconds const& seconds, FmmWorkers const& workers);

/// Enters what a tree is, and how much work its lists are.
void count_work(FmmTree const& tree, FmmPlanning& parameters);

/// What the rank sends that sends most, of `ranks` that own these blocks: each block whole, once to each rank
/// that reads it. `box` bytes for the expansions of a box, `source` bytes for the strengths of a source.
FmmCommunication communication_of(FmmTree const& tree, int ranks, double box, double source);

/// M2L that a box takes part in, if all around it have points.
inline double interactions_per_box(int separation) { return separation == 1 ? 189 : 875; }

/// Tasks per stage for the CPU workers of so many ranks: enough to share, but few, since each costs submission.
double wanted_tasks(int cpus, int ranks);

}  // namespace nearfar::detail

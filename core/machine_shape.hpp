// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/work.hpp"

namespace nearfar {

/// The workers of a machine, as far as a plan depends on them: GPUs, which only P2P runs on, do a part of it while the
/// CPUs do the rest and all other stages.
struct MachineShape {
  int cpus = 1;
  int gpus = 0;               ///< that can run P2P
  double gpu_flop = 0;        ///< P2P on one GPU that is full: seconds per flop
  double gpu_target = 0;      ///< and per target, however few its pairs
  double gpu_latency = 0;     ///< and per flop of one target in each task: a task of few targets does not fill it
  double gpu_task = 0;        ///< and per task
  bool mutual_blocks = true;  ///< pairs of points in two blocks are summed once for both, as only CPUs do

  /// P2P tasks that GPUs want: long ones, and enough blocks for the CPUs' share of the work.
  double gpu_tasks(Work const& work) const noexcept;

  /// Seconds of one GPU in the near part; 0 without GPUs.
  double near_gpu_seconds(Work const& work) const noexcept;

  /// Seconds of the best schedule on all workers (shared_seconds), the work in seconds of one CPU worker: P2P, what is
  /// done with points before and after it, and the far part. `pairs_gpu` is P2P on one GPU, `task` one task of it on a
  /// CPU.
  double seconds(double pairs, double points, double far, double pairs_gpu, double task = 0) const noexcept;

  /// What the CPU workers need for so many equal tasks that take `seconds` together: as many as the fullest worker has.
  double span(double seconds, double tasks) const noexcept;

  /// When the last CPU worker ends that shares `seconds` of all with the others, in tasks of `task` seconds: half of
  /// one after the mean.
  double until_last(double seconds, double task) const noexcept;

  /// What `seconds` gives, in seconds of one CPU worker, so that without GPUs the number of workers does not matter.
  double cost(Work const& work) const noexcept;
};

}  // namespace nearfar

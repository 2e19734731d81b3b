// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/network.hpp"
#include "core/plan/shared_work.hpp"
#include "core/plan/throughput.hpp"

namespace nearfar {

// What a task costs on a GPU beside its work, in seconds: a launch and the wait for its data, which for P2P and M2L are
// those of many blocks; and how long the first task of a solve waits.
inline constexpr double gpu_task = 3e-5, gpu_short_task = 1e-5, gpu_start = 3e-4;

// Several GPUs that share a sum exchange data some 40 times, each time some 50 microseconds. Four H200: 1e5 charges
// with gradient take 2.9 ms on all and 1.9 on one, a million 5.9 and 9.4 (Ewald); 7.6 and 2.9, 11.9 and 13.5
// (multipoles).
inline constexpr double least_for_several_gpus = 4e5;

/// The workers of a machine, or of all machines of several ranks, as far as a plan depends on them.
struct Machine {
  int cpus = 1;
  int gpus = 0;               ///< that plans count on
  double least_shared = 0;    ///< points from which on several GPUs of one process share a sum
  bool all_stages = false;    ///< GPUs have a body of every stage
  bool mutual_blocks = true;  ///< pairs of points in two blocks are summed once for both, as only CPUs do
  double lanes = 8;           ///< numbers of the solve's precision in a SIMD vector
  int ranks = 1;              ///< that have these workers together
  Network network{};          ///< between them
  int number_bytes = 8;       ///< of a number in a message
  Throughputs speed{};
  Throughputs speed_in_single{};  ///< of a far part in single precision inside a solve in double

  /// What of it a sum over so many points should use: one GPU, where more would wait for each other's data.
  Machine for_points(double points) const;

  /// Whether GPUs run every stage of a solve with so many targets: moving what CPU workers could take of it would cost
  /// more than they save. Smaller solves end before a GPU has begun.
  bool all_on_gpus(double targets) const noexcept;

  /// Work of so many seconds of a reference core, in seconds of one worker of each kind.
  SharedWork seconds_of(WorkRow row, double reference, bool in_single = false) const noexcept;

  /// Seconds of the best schedule on all workers (shared_seconds), the work in seconds of one CPU worker: P2P, what is
  /// done with points before and after it, and the far part. `pairs_gpu` is P2P on one GPU, `task` one task of it on a
  /// CPU.
  double seconds(double pairs, double points, double far, double pairs_gpu, double task = 0) const;

  /// What the CPU workers need for so many equal tasks that take `seconds` together: as many as the fullest worker has.
  double span(double seconds, double tasks) const noexcept;

  /// When the last CPU worker ends that shares `seconds` of all with the others, in tasks of `task` seconds: half of
  /// one after the mean.
  double until_last(double seconds, double task) const noexcept;
};

/// One CPU worker of a machine that was not measured.
template <class T>
Machine default_machine() {
  return {.lanes = 64 / sizeof(T), .speed = default_throughputs<T>(), .speed_in_single = default_throughputs<float>()};
}

}  // namespace nearfar

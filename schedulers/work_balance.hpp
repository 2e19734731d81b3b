// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>

namespace nearfar {

/// What the `overlap` policy decides by: how much work is left in the far-field chain and in the filler, in seconds of
/// the workers that do it best. Speeds are measured while tasks run, so nothing has to be calibrated. Not thread-safe.
class WorkBalance {
 public:
  /// Codelets are told apart by address.
  using Stage = void const*;
  enum class Kind { cpu, gpu };

  void add_worker(Kind kind) { ++workers_[int(kind)]; }
  void remove_worker(Kind kind) { --workers_[int(kind)]; }
  bool has_gpus() const { return workers_[int(Kind::gpu)] > 0; }

  /// A task will come: the work of a stage counts from its submission, not from when it is ready.
  void submitted(Stage stage, bool filler, double flops);
  /// A GPU worker can run tasks of this stage.
  void runs_on_gpus(Stage stage) { stages_[stage].on_gpus = true; }
  /// A worker of the CPUs begins or ends a task of the far-field chain.
  void far_began() { ++cpus_in_far_; }
  void far_ended() { cpus_in_far_ -= cpus_in_far_ > 0; }
  void ended(Stage stage, Kind kind, double flops, double seconds);

  /// Whether a worker that could take either should take filler. Without GPUs, the CPUs are shared in proportion to
  /// what is left of both, so that memory-bound transforms run beside compute-bound pairs; while GPUs do the filler,
  /// the CPUs keep to the far field, and GPUs help there once the CPUs are the ones to wait for.
  bool filler_first(Kind kind) const;

  /// Whether the GPUs would do all filler before one CPU worker has done a task of this stage.
  bool leave_to_gpus(Stage stage, double flops) const;

 private:
  struct Work {
    bool filler = false, on_gpus = false;
    double left = 0;                        // flops submitted and not ended
    double flops[2] = {}, seconds[2] = {};  // done, by kind of worker
  };
  static double seconds_per_flop(Work const& work, Kind kind);
  double left(bool filler, Kind kind) const;
  double left_on_gpus() const;

  std::map<Stage, Work> stages_;
  int workers_[2] = {};
  int cpus_in_far_ = 0;
};

}  // namespace nearfar

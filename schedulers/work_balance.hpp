// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>

namespace nearfar {

/// How the `overlap` policy divides work between CPUs and GPUs: by what is left in the
/// far-field chain and in the filler, in seconds of the workers that do it best. Speeds
/// are measured while tasks run, so nothing has to be calibrated. Not thread-safe.
class WorkBalance {
 public:
  /// Codelets are identified by address.
  using Stage = void const*;
  enum class Kind { cpu, gpu };

  void add_worker(Kind kind) { ++workers_[int(kind)]; }
  void remove_worker(Kind kind) { --workers_[int(kind)]; }
  bool has_gpus() const { return workers_[int(Kind::gpu)] > 0; }

  /// A task was submitted: the work of a stage counts from then on, not from when it is ready.
  void submitted(Stage stage, bool filler, double flops);
  /// A GPU worker can run tasks of this stage; `suits`: it should be reserved for them.
  void runs_on_gpus(Stage stage, bool suits) { stages_[stage].on_gpus = true, stages_[stage].suits = suits; }
  /// A CPU worker has begun one, which no GPU can take any more.
  void begun_on_cpu(Stage stage, double flops) { stages_[stage].on_cpus += flops; }
  void ended(Stage stage, Kind kind, double flops, double seconds);

  /// Whether GPUs have longer to do with the filler than CPUs with the far field; else they help there.
  bool gpus_keep_to_filler() const;

  /// Whether the GPUs would finish everything that suits them before one CPU worker
  /// finishes a task of this stage; or, if they only help with it, the whole stage.
  bool leave_to_gpus(Stage stage, double flops) const;

 private:
  struct Work {
    bool filler = false, on_gpus = false, suits = false;
    double left = 0;                        // flops submitted and not ended
    double on_cpus = 0;                     // of these, begun by CPU workers
    bool begun[2] = {};                     // a task has ended, by kind of worker
    double flops[2] = {}, seconds[2] = {};  // done, by kind of worker, recent tasks weighted most
  };
  static double seconds_per_flop(Work const& work, Kind kind);
  double left_in_far() const;
  double left_on_gpus(Work const& work) const;
  double left_on_gpus(bool filler_alone) const;

  std::map<Stage, Work> stages_;
  int workers_[2] = {};
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/heteroprio.hpp"
#include "tasks/engine/solve/observer.hpp"
#include "tasks/nodes/machine/idle.hpp"
#include "tasks/nodes/ranks.hpp"

#include <nearfar/runtime.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace nearfar::detail {

struct DevicesOfRank;

/// Who may run the tasks of a solve.
enum class WorkFor { gpus, all };

/// StarPU and Kokkos, running; at most one of these in a process, shared by its users.
class RuntimeState {
 public:
  /// The one that is up, unless `options` contradict it, else a new one,
  /// watched by the result of `make_observer(options)` unless that is null.
  using MakeObserver = std::unique_ptr<Observer>(RuntimeOptions const& options);
  static std::shared_ptr<RuntimeState> get(RuntimeOptions const& options, MakeObserver* make_observer);

  RuntimeState(RuntimeOptions const& options, std::unique_ptr<Observer> observer);
  ~RuntimeState();
  RuntimeState(RuntimeState const&) = delete;
  RuntimeState& operator=(RuntimeState const&) = delete;

  /// Wakes our workers while a solve is in flight and lets them run: idle ones poll, and would take
  /// cores from the caller, or from the thread that submits. Returns the number of the solve, from 1.
  unsigned solve_begins();
  void let_run(WorkFor work) noexcept;
  void solve_ends() noexcept;
  /// Like begin of a solve, until solve_ends.
  void wake();

  Observer* observer() const noexcept { return observer_.get(); }  ///< null if nobody watches

  RuntimeOptions const& options() const noexcept { return options_; }
  std::string const& scheduler() const noexcept { return scheduler_; }
  Ranks const& ranks() const noexcept { return ranks_; }

  /// The scheduler's sort key of a task: its priority, or a bucket of ours for heteroprio.
  int sort_key(int priority, starpu_codelet const& codelet) const {
    return buckets_ ? heteroprio_bucket(priority, codelet) : priority;
  }
  /// The same for a task kept from GPUs: a bucket of heteroprio is for tasks that run on the same kinds of workers.
  int sort_key_on_cpus(int sort_key) const { return buckets_ ? sort_key % heteroprio_gpu_buckets : sort_key; }

 private:
  void start(DevicesOfRank const& devices);
  /// Whether a solve is in flight. Pauses the workers once none has been for a while.
  bool at_work() noexcept;
  void pause() noexcept;  // with mutex_ locked

  RuntimeOptions options_;
  Ranks ranks_;                            // MPI starts first and ends last
  std::optional<RestingWorkers> resting_;  // from before StarPU starts, whose workers would not let it start
  std::string scheduler_;
  bool started_ = false, paused_ = false;
  bool buckets_ = false;
  bool lingers_ = false;  ///< resting workers pause a while after a solve has ended, not at once
  std::mutex mutex_;
  std::atomic<int> in_flight_ = 0;
  std::atomic<std::chrono::steady_clock::time_point> ended_{};  ///< the last solve
  unsigned solves_ = 0;
  std::unique_ptr<Observer> observer_;
};

std::vector<Worker> worker_list();

/// StarPU's version, and its build options.
std::string version_text();

/// Keeps workers awake from begin() until it is destroyed: copies to GPUs only advance while workers run. Also a member
/// of objects that own data, declared before the data and after the runtime; their destructors call begin, since StarPU
/// waits for copies under way (prefetches for GPUs).
class Awake {
 public:
  Awake() = default;
  ~Awake() {
    if (runtime_) runtime_->solve_ends();
  }
  Awake(Awake const&) = delete;
  Awake& operator=(Awake const&) = delete;

  void begin(std::shared_ptr<RuntimeState> const& runtime) {
    runtime->wake();
    runtime_ = runtime;
  }

 private:
  std::shared_ptr<RuntimeState> runtime_;
};

}  // namespace nearfar::detail

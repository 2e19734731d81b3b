// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/heteroprio.hpp"
#include "tasks/engine/observer.hpp"
#include "tasks/nodes/ranks.hpp"

#include <nearfar/runtime.hpp>

#include <memory>
#include <mutex>

namespace nearfar::detail {

struct DevicesOfRank;

/// StarPU and Kokkos up; one of these at most in a process, shared by whatever needs it.
class RuntimeState {
 public:
  /// The one that is up, if its options are not contradicted, else a new one, watched by what `make_observer(options)`
  /// gives, if that is not null.
  using MakeObserver = std::unique_ptr<Observer>(RuntimeOptions const& options);
  static std::shared_ptr<RuntimeState> get(RuntimeOptions const& options, MakeObserver* make_observer);

  RuntimeState(RuntimeOptions const& options, std::unique_ptr<Observer> observer);
  ~RuntimeState();
  RuntimeState(RuntimeState const&) = delete;
  RuntimeState& operator=(RuntimeState const&) = delete;

  /// Workers of ours run only while a solve is in flight and lets them: idle ones would poll, and take the cores from
  /// the caller, or from the thread that submits. Gives the number of the solve, from 1.
  unsigned solve_begins();
  void let_run() noexcept;
  void solve_ends() noexcept;
  /// As if a solve were in flight, until solve_ends.
  void wake();

  Observer* observer() const noexcept { return observer_.get(); }  ///< null if nobody watches

  RuntimeOptions const& options() const noexcept { return options_; }
  std::string const& scheduler() const noexcept { return scheduler_; }
  Ranks const& ranks() const noexcept { return ranks_; }

  /// What the scheduler sorts a task by: its priority, or a bucket of ours for heteroprio.
  int rank(int priority, starpu_codelet const& codelet) const {
    return buckets_ ? heteroprio_bucket(priority, codelet) : priority;
  }
  /// Of a task that is kept from GPUs: heteroprio's buckets are for tasks that run on the same kinds of workers.
  int rank_on_cpus(int rank) const { return buckets_ ? rank % heteroprio_gpu_buckets : rank; }

 private:
  void start(DevicesOfRank const& devices);

  RuntimeOptions options_;
  Ranks ranks_;  // MPI goes up first and down last
  std::string scheduler_;
  bool started_ = false, paused_ = false;
  bool buckets_ = false;
  std::mutex mutex_;
  int in_flight_ = 0;
  unsigned solves_ = 0;
  std::unique_ptr<Observer> observer_;
};

std::vector<Worker> worker_list();

/// StarPU's version, and what it was built with.
std::string version_text();

/// Keeps workers awake while an object goes that owns data: StarPU waits for copies of them that are under way (it
/// fetches ahead for GPUs), and these end only while workers run. A member before the data and after the runtime; the
/// object's destructor calls begin.
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

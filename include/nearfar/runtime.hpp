// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace nearfar {

namespace detail {
class RuntimeState;
}

/// How to start the task runtime. Negative counts mean all there are.
struct RuntimeOptions {
  std::string scheduler{};  ///< a profile of `scheduler_names()`; empty: STARPU_SCHED, else "overlap"
  int cpus = -1;            ///< CPU workers
  int gpus = -1;            ///< CUDA or HIP workers
  std::string trace{};      ///< folder for a trace (docs/tracing.md), made if missing; empty: no trace
};

/// One worker of the runtime.
struct Worker {
  std::string name;
  std::string kind;  ///< "cpu", "cuda" or "hip"
};

/// The task runtime, shared by all plans made with it. It joins a StarPU that is already up, or starts one;
/// a StarPU that was up is left up. The last copy (plans and solves hold one) shuts down what the first one started.
/// Copies are cheap. All members are thread-safe.
class Runtime {
 public:
  /// Throws Error{bad_input} for an unknown scheduler (with the list), Error{no_resource} when no worker could be
  /// started, and Error{bad_input} when options differ from those of a runtime that is already up in this process.
  explicit Runtime(RuntimeOptions const& options = {});

  std::vector<Worker> workers() const;
  std::string scheduler() const;
  std::string version() const;  ///< for example "StarPU 1.4.10, FxT, CUDA"

  /// Puts a moment with a name into the trace, for example the beginning of a time step; nothing where none is written.
  void mark(std::string const& text) const;

  detail::RuntimeState& state() const noexcept { return *state_; }
  std::shared_ptr<detail::RuntimeState> const& shared() const noexcept { return state_; }

 private:
  std::shared_ptr<detail::RuntimeState> state_;
};

/// One scheduling profile: its name, and a line that says when to use it.
struct SchedulerProfile {
  std::string name;
  std::string purpose;
};
std::vector<SchedulerProfile> scheduler_profiles();

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nearfar {

namespace detail {
class RuntimeState;
}

/// Between the ranks, as one of them sees it while all send to all. Zeros: faster than anybody notices.
struct NetworkSpeed {
  double latency = 0;    ///< seconds
  double bandwidth = 0;  ///< bytes per second that each rank sends; 0: no limit
  friend bool operator==(NetworkSpeed const&, NetworkSpeed const&) = default;
};

/// How to start the task runtime. Negative counts mean all there are.
struct RuntimeOptions {
  std::string scheduler{};  ///< a profile of `scheduler_names()`; empty: STARPU_SCHED, else "overlap"
  int cpus = -1;            ///< CPU workers
  int gpus = -1;            ///< CUDA or HIP workers
  std::string trace{};      ///< folder for a trace (docs/tracing.md), made if missing; empty: no trace
  /// Address of an MPI_Comm: its processes solve together (docs/nodes.md), and all of them make the runtime. Null:
  /// MPI_COMM_WORLD where MPI is up, or where mpirun started this program, and MPI is then started, and ended with the
  /// process; else this process works alone, and MPI is not touched.
  void const* communicator = nullptr;
  /// What plans of several ranks go by; rank 0's counts. None: NEARFAR_NETWORK, else measured (docs/nodes.md).
  std::optional<NetworkSpeed> network{};
  /// For tests: seconds by which the data of every message come late, as on a wire with that latency.
  double message_delay = 0;
};

/// How this process was started: by mpirun or its like as one of several, as its environment says, or alone.
struct Launch {
  int rank = 0;
  int ranks = 1;
};
Launch launch() noexcept;

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
  /// started, and Error{bad_input} for a network or a delay that cannot be, or when options differ from those of a
  /// runtime that is already up in this process. Of several ranks all throw what the first of them throws.
  explicit Runtime(RuntimeOptions const& options = {});

  std::vector<Worker> workers() const;
  std::string scheduler() const;
  std::string version() const;  ///< for example "StarPU 1.4.10, FxT, CUDA"

  /// This process among those that solve together, from 0, and how many they are. One: 0 of 1.
  int rank() const noexcept;
  int ranks() const noexcept;

  /// Every rank calls it after work that only some of them do, with what went wrong in it, or nothing. Throws on all
  /// ranks, as an Error, the error of the lowest rank that has one. Solves and plans do so themselves.
  void agree(std::exception_ptr error = {}) const;

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

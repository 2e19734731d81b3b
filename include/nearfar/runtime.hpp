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

/// Speed of the network for one rank while all ranks send to all. Zeros: messages cost nothing.
struct NetworkSpeed {
  double latency = 0;    ///< seconds
  double bandwidth = 0;  ///< bytes per second that each rank sends; 0: no limit
  friend bool operator==(NetworkSpeed const&, NetworkSpeed const&) = default;
};

/// How to start the task runtime. A negative count means all workers of the kind.
struct RuntimeOptions {
  std::string scheduler{};  ///< a profile of `scheduler_names()`; empty: STARPU_SCHED, else "overlap"
  int cpus = -1;            ///< CPU workers
  int gpus = -1;            ///< CUDA or HIP workers
  std::string trace{};      ///< folder for a trace (docs/tracing.md), made if needed; empty: no trace
  /// Address of an MPI_Comm, whose processes all make the runtime and solve together (docs/nodes.md). Null:
  /// MPI_COMM_WORLD if MPI is initialised or mpirun started this program; then MPI is initialised if needed, and
  /// finalised with the process. Otherwise, and with NEARFAR_MPI=off, this process works alone and does not use MPI.
  void const* communicator = nullptr;
  /// Network for plans on several ranks; that of rank 0 counts. Empty: NEARFAR_NETWORK, else measured (docs/nodes.md).
  std::optional<NetworkSpeed> network{};
  /// For tests: delay of the data of every message in seconds, as on a network with that latency.
  double message_delay = 0;
};

/// Which of how many processes this is.
struct Launch {
  int rank = 0;
  int ranks = 1;
};

/// What MPI says, which is started to be asked where the environment has the variables of a launcher (mpirun, srun);
/// alone without those, and with NEARFAR_MPI=off. Throws Error{bad_input} on every process where the environment speaks
/// of several processes and MPI knows of this one alone: they were started by the launcher of another MPI.
Launch launch();

/// One worker of the runtime.
struct Worker {
  std::string name;
  std::string kind;  ///< "cpu", "cuda" or "hip"
};

/// The task runtime, shared by all plans made with it. It joins a running StarPU, which it leaves running, or starts
/// one. The last copy (plans and solves hold one) shuts down what the first one started.
/// Copies are cheap. All members are thread-safe.
class Runtime {
 public:
  /// Throws Error{bad_input} for an unknown scheduler (with the list), for an impossible network or delay, and for
  /// options that differ from those of a runtime that exists in this process. Throws Error{no_resource} if no worker
  /// could be started. With several ranks, all throw what the first of them throws.
  explicit Runtime(RuntimeOptions const& options = {});

  std::vector<Worker> workers() const;
  std::string scheduler() const;
  std::string version() const;  ///< for example "StarPU 1.4.10, FxT, CUDA"

  /// The number of this process, from 0, and of all processes that solve together; 0 and 1 if it works alone.
  int rank() const noexcept;
  int ranks() const noexcept;

  /// Call it on every rank after work that only some ranks do, with the exception of that work, if any. Throws the
  /// error of the lowest rank that has one as an Error on all ranks. Solves and plans do so themselves.
  void agree(std::exception_ptr error = {}) const;

  /// Marks the present moment in the trace with a name, for example a time step. Does nothing without a trace.
  void mark(std::string const& text) const;

  detail::RuntimeState& state() const noexcept { return *state_; }
  std::shared_ptr<detail::RuntimeState> const& shared() const noexcept { return state_; }

 private:
  std::shared_ptr<detail::RuntimeState> state_;
};

/// A scheduling profile: its name, and a line that says when to use it.
struct SchedulerProfile {
  std::string name;
  std::string purpose;
};
std::vector<SchedulerProfile> scheduler_profiles();

}  // namespace nearfar

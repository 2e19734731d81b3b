// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nearfar {

namespace detail {
class SolveState;
}

/// Time of the tasks of one stage, summed over workers.
struct StageTime {
  std::string stage;
  int tasks = 0;
  double seconds = 0;
  double flops = 0;             ///< floating-point operations, estimated from counts of pairs, points and modes
  double expected_seconds = 0;  ///< by StarPU's models, for schedulers that use them; else 0
};

/// How one solve ran; with several ranks, on this rank, unless stated otherwise.
struct SolveReport {
  double seconds = 0;         ///< from submit to the end of the last task
  double submit_seconds = 0;  ///< spent inside submit
  int tasks = 0;
  int workers = 0;
  int ranks = 1;                   ///< ranks that solved it together
  std::uint64_t sent_bytes = 0;    ///< data of the solve that all ranks sent each other
  std::uint64_t direct_bytes = 0;  ///< of these, copied from rank to rank of a machine without MPI
  double idle_fraction = 0;     ///< of workers x time, from first task start to last task end, in no task of this solve
  double overlap_fraction = 0;  ///< of the time of far-field tasks, during which a P2P task ran too
  /// Lower bounds of any schedule of these tasks, if each takes the time that was measured: the longest chain of
  /// dependent tasks, and the larger of that chain and the work shared evenly by the workers.
  double critical_seconds = 0;
  double bound_seconds = 0;
  /// By the plan's throughputs, if no worker were ever idle; with GPUs, for the best division of work between them and
  /// the CPUs.
  double predicted_seconds = 0;
  /// Relative l2 error over the targets: of a sample that was also summed pair by pair (multipole method), or by the
  /// plan's model, relative to the computed field (Ewald sums); 0: unknown. Above the tolerance: no plan met it.
  double sampled_error = 0;
  /// How often the solve was repeated with a finer plan because sampled_error exceeded the tolerance. `seconds`
  /// includes that; tasks and stages are those of the first time.
  int repeats = 0;
  /// (1/2) sum of q phi over all charges, with a neutralising background where there is one, and of p.grad phi over all
  /// dipoles, where the gradient is among the outputs: near and far part together, of one vector of strengths, whose
  /// targets are the sources. The energy of one charge is q phi / 2. Strengths enter squared: infinite if that is
  /// beyond the range of numbers, where the fields need not be.
  std::optional<double> energy;
  /// What the energy is off by, relative to itself: three standard deviations, from what sampled_error comes from; 0:
  /// unknown. It may be above the tolerance where the fields keep it, if energies nearly cancel. The solve is not
  /// repeated for that; plans with a smaller tolerance bring it nearer.
  double energy_error = 0;
  /// If the plan was asked for it: W_ab = -dE / d eps_ab, where points and cell are strained by x_a -> x_a + eps_ab
  /// x_b and dipoles keep their directions: xx, yy, zz, xy, xz, yz, of dipoles the mean of W_ab and W_ba. In free space
  /// it is the sum of F_a x_b, with forces F_a = -q d_a phi - p.grad d_a phi. In a periodic cell of volume V, W / V is
  /// what electrostatics adds to the pressure tensor.
  std::optional<std::array<double, 6>> virial;
  /// What a virial of Ewald sums is off by, relative to its largest number, as energy_error; 0: unknown, or counted in
  /// sampled_error (multipole method).
  double virial_error = 0;
  std::vector<StageTime> stages;
  std::vector<std::string> uncalibrated;  ///< stages for which the scheduler wanted measured times, and had none
};

/// One evaluation in flight. Movable, not copyable. Members are thread-safe with respect to the workers;
/// one Solve object is used by one thread at a time. The destructor waits (results live in the caller's memory).
class Solve {
 public:
  Solve() noexcept;
  explicit Solve(std::shared_ptr<detail::SolveState> state) noexcept;
  Solve(Solve&&) noexcept;
  Solve& operator=(Solve&&) noexcept;
  ~Solve();

  /// True when all tasks have ended, even with an error. With several ranks, `wait` may still use the strengths.
  bool ready() const noexcept;

  /// Calls `callback` once, when the solve has ended: at once if it has, else on a worker, where it must not wait for
  /// another solve. `wait` reports what it throws.
  void then(std::function<void()> callback);

  /// Calls `callback` with the fraction of tasks that have ended (with several ranks, of this rank's): on workers, one
  /// call at a time, on each percent at most, in increasing order; last with 1, once the result is complete. Never
  /// after `wait` has returned; at once with 1 if the solve has ended. A solve that is repeated with a finer plan stays
  /// below 1 meanwhile. What it throws ends the solve and comes from `wait`. It must not wait for a solve. Throws
  /// Error{bad_input} if the solve has such a callback already.
  void on_progress(std::function<void(double fraction)> callback);

  /// Ends the solve early: tasks that have not begun do nothing, and wait() throws Error{bad_input} saying so. Does
  /// nothing if all tasks have ended, or one has failed. Returns at once.
  void cancel();

  /// Returns when the result is complete, or throws the first error of this solve, and only of it (with stage, block
  /// and worker). May be called again. With several ranks, all call it, report() or the destructor, for their solves in
  /// the same order; it returns when all ranks have ended, and throws the same error on all.
  void wait();

  /// Waits for at most `seconds` (0: looks), and returns whether the solve has ended, even with an error, which wait()
  /// throws. With several ranks this is about this rank's part. Throws Error{bad_input} for negative seconds.
  bool wait_for(double seconds);

  /// Waits, and reports how the solve ran.
  SolveReport report();

  /// Writes the graph of this solve in the DOT language: a node per task, an edge per dependency. Throws
  /// Error{bad_input} if it cannot be written.
  void write_dag(std::string const& path) const;

  std::shared_ptr<detail::SolveState> const& state() const noexcept { return state_; }

 private:
  std::shared_ptr<detail::SolveState> state_;
};

}  // namespace nearfar

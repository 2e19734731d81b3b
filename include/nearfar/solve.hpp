// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nearfar {

namespace detail {
class SolveState;
}

/// What the tasks of one stage took, summed over workers.
struct StageTime {
  std::string stage;
  int tasks = 0;
  double seconds = 0;
  double flops = 0;             ///< floating-point operations, from counts of pairs, points and modes: an estimate
  double expected_seconds = 0;  ///< by StarPU's models of measured times, for schedulers that use them; else 0
};

/// How one solve ran. Of several ranks: on this one, where nothing else is said.
struct SolveReport {
  double seconds = 0;         ///< from submit to the end of the last task
  double submit_seconds = 0;  ///< spent inside submit
  int tasks = 0;
  int workers = 0;
  int ranks = 1;                 ///< that solved it together
  std::uint64_t sent_bytes = 0;  ///< from rank to rank, by all of them, of the solve's data
  double idle_fraction = 0;  ///< share of workers x time, first task start to last task end, in no task of this solve
  double overlap_fraction = 0;  ///< share of the time in which far-field tasks ran that had a P2P task running too
  /// Of any schedule of these tasks, each as long as it was: the longest chain of tasks that wait for each other, and
  /// that chain or the work shared evenly by the workers, whichever is longer.
  double critical_seconds = 0;
  double bound_seconds = 0;
  /// By the plan's rates, were no worker ever idle; with GPUs, of the best division of the near part between them and
  /// the CPUs (multipole method: 0 with GPUs, which it does not know yet).
  double predicted_seconds = 0;
  /// Relative l2 error over the targets: of a sample whose sums were also taken pair by pair (multipole method), or by
  /// the plan's model, relative to the field that came out (Ewald sums); 0: unknown. Above the tolerance, none met it.
  double sampled_error = 0;
  /// How often the solve was done again by a finer plan, since that said that the tolerance was missed. `seconds`
  /// includes that; tasks and stages are those of the first time.
  int repeats = 0;
  std::vector<StageTime> stages;
  std::vector<std::string> uncalibrated;  ///< stages that the scheduler had no measured times of, though it asked
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

  /// True when all tasks have ended, well or not. Of several ranks, `wait` may still use the strengths for the result.
  bool ready() const noexcept;

  /// Calls `callback` once when the solve has ended: at once if it has, else on a worker, where it must not wait
  /// for another solve. What it throws is reported by `wait`.
  void then(std::function<void()> callback);

  /// Returns when the result is complete, or throws the first error of this solve, and only of it
  /// (with stage, block and worker). May be called again. Of several ranks all call it, report() or the destructor, for
  /// one solve after the other in the same order: it returns when all have ended, and throws the same error on all.
  void wait();

  /// Waits, and tells how the solve ran.
  SolveReport report();

  /// Writes the graph of this solve in the DOT language, one node per task, edges by data; Error{bad_input} if
  /// unwritable.
  void write_dag(std::string const& path) const;

  std::shared_ptr<detail::SolveState> const& state() const noexcept { return state_; }

 private:
  std::shared_ptr<detail::SolveState> state_;
};

}  // namespace nearfar

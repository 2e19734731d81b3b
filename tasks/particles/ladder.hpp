// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

namespace nearfar::detail {

/// A set of points in one plan, as a rung of a ladder: the same points in finer plans are above it, in coarser plans
/// below. A rung holds the rung above it. docs/decisions/finer-plans.md says why.
///
///     planned --solve--> reviewed --error within the tolerance--> kept
///                            |
///                            | missed
///                            v
///     there is a rung above, or `climb` makes one --yes--> repeated there, and reviewed again
///                            |
///                            | no
///                            v
///     this rung was no better than the one below --no---> the result stands
///                            |
///                            | yes
///                            v
///     gave up: this rung and the one below are settled, solves go back below, and farther while it was no better there
///
/// Thread-safe: solves of several threads may be reviewed at once.
template <class Points>
class Rung : public std::enable_shared_from_this<Points> {
 public:
  /// The highest rung: what solves use.
  std::shared_ptr<Points> finest() {
    std::lock_guard const lock(mutex_);
    return above_ ? above_->finest() : this->shared_from_this();
  }
  /// From now on solves use these instead: the same points in another plan, which no error called for.
  void replace_by(std::shared_ptr<Points> above) {
    std::lock_guard const lock(mutex_);
    above_.swap(above);
  }
  /// The same points in a finer plan, made because a solve in this one had this error.
  void add_above(std::shared_ptr<Points> const& finer, double error) {
    finer->below_ = this->weak_from_this();
    finer->error_below_ = error;
    replace_by(finer);
  }

  std::shared_ptr<Points> below() const noexcept { return below_.lock(); }
  /// The error of the solve on the rung below for which this one was made; 0: for none.
  double error_below() const noexcept { return error_below_; }

  /// Solves here are not repeated any more.
  bool settled() const noexcept { return settled_; }
  void settle() noexcept { settled_ = true; }
  /// The last error above the tolerance of a solve here, or a larger one where finer plans did not help; 0: none.
  double missed() const noexcept { return missed_; }
  void set_missed(double error) noexcept { missed_ = error; }

  /// Locked while a solve that missed the tolerance here makes the next rung, which others then use.
  std::mutex& climbing() noexcept { return climbing_; }

  /// No finer plan helps, nor did this one, with that error.
  void give_up(double error) {
    settle();
    auto const coarser = below();
    if (!coarser) return;
    coarser->settle();
    coarser->set_missed(std::max(coarser->missed(), error));
    coarser->replace_by(nullptr);
    if (coarser->error_below() > 0 && coarser->error_below() <= error_below_) coarser->give_up(error_below_);
  }

 private:
  std::atomic<bool> settled_{false};
  std::atomic<double> missed_{0};
  double error_below_ = 0;
  std::weak_ptr<Points> below_;
  std::mutex climbing_, mutex_;
  std::shared_ptr<Points> above_;
};

/// What a review has found of a solve that missed the tolerance.
struct Missed {
  double error;
  double rounding;  ///< the error that the rounding of points causes, which no plan mends
  bool helped;      ///< this rung was better than the one below, if there is one
  bool any_digit;   ///< the result has some digit right, so that more may help
};

/// Where a solve on the rung `here` is repeated; none if its result stands. `climb` makes the next rung, or none.
template <class Points, class Climb>
std::shared_ptr<Points> next_rung(Points& here, Missed const& missed, Climb const& climb) {
  std::lock_guard const lock(here.climbing());
  if (here.settled() || missed.error <= missed.rounding) return nullptr;
  std::shared_ptr<Points> next;
  if (missed.helped || missed.any_digit) {
    next = here.finest();
    if (next.get() == &here) next = climb();
  }
  if (!next && !missed.helped) here.give_up(missed.error);
  return next;
}

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
// How callers wait for a solve, and what all ranks then agree on.
#include "core/math/floating_point.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/engine/runtime/process.hpp"
#include "tasks/engine/solve/solve_state.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>

namespace nearfar::detail {

/// Linux takes some 30 microseconds to wake a thread that sleeps, a tenth of a small solve on a GPU.
void SolveState::look_for_end(double at_most) const noexcept {
  if (ended() || starpu_worker_get_count() == starpu_cpu_worker_get_count()) return;
  double const until = starpu_timing_now() + at_most;
  while (!finished_.load(std::memory_order_acquire) && starpu_timing_now() < until) std::this_thread::yield();
}

/// Asked with mutex_ locked. If a callback of this solve waits for it, the end of its tasks suffices.
bool SolveState::may_go_on() const noexcept {
  return finished_ || (ended() && finisher_ == std::this_thread::get_id());
}

void SolveState::wait() {
  if (forked()) return;  // in a forked child the solve never ends, and this may be a destructor
  PlainArithmetic const plain;
  look_for_end();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return may_go_on(); });
    if (!finished_) return;
  }
  if (ranks_ != nullptr && !agreed_) agree();
}

bool SolveState::wait_for(double seconds) {
  using std::chrono::duration, std::chrono::duration_cast, std::chrono::nanoseconds, std::chrono::steady_clock;
  constexpr double longest = 1e9;  // beyond it clocks overflow
  // In a forked child its callbacks do not end.
  if (forked()) return ended();
  auto const until = steady_clock::now() + duration_cast<nanoseconds>(duration<double>(std::min(seconds, longest)));
  look_for_end(1e6 * std::min(seconds, 0.001));
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, until, [this] { return may_go_on(); });
}

/// By StarPU's clock. An error outside of tasks counts as later than all tasks: as happening now.
double SolveState::failed_at() const noexcept {
  if (basis_ && basis_->agreed_error_) return 0;  // all ranks have that one
  if (basis_ && basis_->failed()) return basis_->failed_at();
  double const at = failed_at_;
  return at > 0 ? at : starpu_timing_now();
}

/// Whether this rank's error was the earliest of all, by the clock of rank 0. Later errors may be consequences, since
/// tasks continue on other ranks with data that a failed rank left unfinished.
bool SolveState::is_earliest(bool failed) const {
  if (ranks_->largest(std::uint64_t(failed)) == 0) return false;
  double const at = failed_at() - ranks_->clock_ahead(starpu_timing_now);
  auto const nanoseconds = std::uint64_t(std::max(0., 1000 * at));
  auto const key = failed ? ~nanoseconds : 0;
  return ranks_->largest(key) == key;
}

void SolveState::agree() {
  std::exception_ptr mine;
  try {
    rethrow();
  } catch (...) {
    mine = std::current_exception();
  }
  try {
    bool const first = is_earliest(mine != nullptr);
    ranks_->agree(first ? mine : nullptr);
    if (review_.together) review_together();
    basis_.reset();  // it failed on no rank, so it is not needed again
  } catch (...) {
    agreed_error_ = std::current_exception();
  }
  finally_ = nullptr;
  sent_bytes_ = ranks_->sum(sent_bytes_);
  direct_bytes_ = ranks_->sum(direct_bytes_);
  if (has_energy_) {
    std::array<long double, 7> all;
    std::copy(energy_.begin(), energy_.end(), all.begin());
    ranks_->sum(all);
    std::copy(all.begin(), all.end(), energy_.begin());
  }
  agreed_.store(true, std::memory_order_release);
}

void SolveState::rethrow() const {
  if (agreed_error_) std::rethrow_exception(agreed_error_);
  if (basis_) basis_->rethrow();
  if (progress_error_) std::rethrow_exception(progress_error_);
  expect_allocations([&] { (errors_of_chain_ ? *errors_of_chain_ : errors_).rethrow_if_failed(); });
  if (callback_error_) std::rethrow_exception(callback_error_);
}

}  // namespace nearfar::detail

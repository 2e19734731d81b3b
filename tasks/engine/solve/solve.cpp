// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/floating_point.hpp"
#include "core/math/reject.hpp"
#include "tasks/engine/dag.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/engine/runtime/process.hpp"
#include "tasks/engine/solve/solve_state.hpp"

#include <nearfar/error.hpp>

#include <fstream>

namespace nearfar {

namespace {

detail::SolveState& checked(std::shared_ptr<detail::SolveState> const& state) {
  if (!state)
    throw Error(Fault::bad_input, "this Solve stands for no solve (it was moved from, or never came from submit)");
  return *state;
}

/// Waits for a solve, whose callbacks may still use it, before it may go. In a forked child it stays: if another thread
/// of the parent was waiting for it, its condition would wait for that thread, which the child does not have.
void let_go(std::shared_ptr<detail::SolveState>& state) noexcept {
  if (!state) return;
  state->wait();
  if (detail::forked()) new std::shared_ptr(std::move(state));
}

}  // namespace

Solve::Solve() noexcept = default;
Solve::Solve(std::shared_ptr<detail::SolveState> state) noexcept : state_(std::move(state)) {}
Solve::Solve(Solve&&) noexcept = default;

Solve& Solve::operator=(Solve&& other) noexcept {
  if (this == &other) return *this;
  let_go(state_);
  state_ = std::move(other.state_);
  return *this;
}

Solve::~Solve() { let_go(state_); }

bool Solve::ready() const noexcept { return state_ && state_->ended(); }

void Solve::then(std::function<void()> callback) {
  detail::expect_allocations([&] { checked(state_).then(std::move(callback)); });
}

void Solve::on_progress(std::function<void(double)> callback) {
  detail::expect_allocations([&] { checked(state_).on_progress(std::move(callback)); });
}

void Solve::cancel() { checked(state_).cancel(); }

void Solve::wait() {
  if (!checked(state_).ended()) detail::expect_own_process();
  state_->wait();
  state_->rethrow();
}

bool Solve::wait_for(double seconds) {
  PlainArithmetic const plain;
  if (!(seconds >= 0)) reject("seconds is ", seconds, ", which is no time to wait; use 0 or more");
  if (!checked(state_).ended()) detail::expect_own_process();
  return state_->wait_for(seconds);
}

SolveReport Solve::report() {
  wait();
  return detail::expect_allocations([&] { return state_->report(); });
}

void Solve::write_dag(std::string const& path) const {
  std::ofstream out(path);
  if (out) detail::write_dag(out, checked(state_).tasks());
  out.close();
  if (!out)
    throw Error(Fault::bad_input, "the task graph cannot be written to '" + path + "'; name a file you may write");
}

}  // namespace nearfar

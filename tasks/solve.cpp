// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/dag.hpp"
#include "tasks/solve_state.hpp"

#include <nearfar/error.hpp>

#include <fstream>

namespace nearfar {

namespace {

detail::SolveState& checked(std::shared_ptr<detail::SolveState> const& state) {
  if (!state)
    throw Error(Fault::bad_input, "this Solve stands for no solve (it was moved from, or never came from submit)");
  return *state;
}

}  // namespace

Solve::Solve() noexcept = default;
Solve::Solve(std::shared_ptr<detail::SolveState> state) noexcept : state_(std::move(state)) {}
Solve::Solve(Solve&&) noexcept = default;

Solve& Solve::operator=(Solve&& other) noexcept {
  if (this == &other) return *this;
  if (state_) state_->wait();
  state_ = std::move(other.state_);
  return *this;
}

Solve::~Solve() {
  if (state_) state_->wait();
}

bool Solve::ready() const noexcept { return state_ && state_->ended(); }

void Solve::then(std::function<void()> callback) { checked(state_).then(std::move(callback)); }

void Solve::wait() {
  checked(state_).wait();
  state_->rethrow();
}

SolveReport Solve::report() {
  wait();
  return state_->report();
}

void Solve::write_dag(std::string const& path) const {
  std::ofstream out(path);
  if (out) detail::write_dag(out, checked(state_).tasks());
  out.close();
  if (!out)
    throw Error(Fault::bad_input, "the task graph cannot be written to '" + path + "'; name a file you may write");
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/solve/submit.hpp"

namespace nearfar::detail {

Solve submit_solve(std::shared_ptr<RuntimeState> runtime, std::vector<std::shared_ptr<void const>> keep_alive,
                   SubmitOptions const& options, std::function<void(Graph&)> const& build) {
  auto const state = std::make_shared<SolveState>(std::move(runtime), std::move(keep_alive), options.ranks);
  state->predict(options.predicted);
  if (options.begun > 0) state->set_begun(options.begun);
  state->count_sent(options.sent_bytes);
  state->build_on(options.after);
  state->set_after(options.after_event);
  state->set_review(options.review);
  state->set_finally(options.finally);
  Solve solve(state);
  Graph graph(*state, options.implementation, options.trial, options.recording);
  try {
    build(graph);
    graph.end();
  } catch (...) {
    if (state->ranks() != nullptr) state->ranks()->abort(std::current_exception());
    state->errors().store("submit", 0, "none", std::current_exception());
    state->close();
    throw;  // the destructor of `solve` waits for what was submitted
  }
  state->close();
  return solve;
}

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/graph.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace nearfar::detail {

struct SubmitOptions {
  Implementation implementation = Implementation::tuned;
  std::optional<Trial> trial{};
  double predicted = 0;  ///< seconds that the plan thinks the solve takes once it is submitted; 0: it does not say
  Ranks const* ranks = nullptr;  ///< that solve it together, and all submit it; null or one: this process alone
  double begun = 0;              ///< when the caller's call began (starpu_timing_now), from which it is timed; 0: now
  std::uint64_t sent_bytes = 0;  ///< by this rank since then, of what the caller gave
  std::shared_ptr<SolveState const> after{};      ///< what it builds on, and does not succeed without
  std::shared_ptr<GpuEvent const> after_event{};  ///< which its tasks on GPUs begin after, or null
  Review review{};                                ///< of its result, if any
  std::function<void()> finally{};                ///< with the result when it is complete, before the solve has ended
  Recording* recording = nullptr;                 ///< gets the tasks of all ranks, none of which runs then
};

/// Submits a solve: `build` makes its data and inserts its tasks; the data are released once its tasks have ended.
/// Returns while they run. `keep_alive` is what the tasks use beside the runtime. Rethrows what `build` throws; tasks
/// already submitted then return at once. With several ranks it ends them all, since they would wait for messages.
Solve submit_solve(std::shared_ptr<RuntimeState> runtime, std::vector<std::shared_ptr<void const>> keep_alive,
                   SubmitOptions const& options, std::function<void(Graph&)> const& build);

}  // namespace nearfar::detail

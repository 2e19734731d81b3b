// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/worker_loop.hpp"

#include "codelets/points/loop/loop.hpp"
#include "tasks/engine/solve/submit.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

/// Loops as at most so many tasks.
Loop loop_by_tasks(std::shared_ptr<RuntimeState> const& runtime, std::size_t most) {
  constexpr double flops = 1e5;  // of one turn, an estimate
  return [runtime, most](std::size_t count, std::function<void(std::size_t)> const& body) {
    if (count < 2) return in_turn(count, body);
    std::size_t const tasks = std::min(count, most);
    submit_solve(runtime, {}, {}, [&](Graph& graph) {
      for (std::size_t t = 0; t < tasks; ++t) {
        std::size_t const first = count * t / tasks, last = count * (t + 1) / tasks;
        graph.insert<LoopPart>({&body, first, last}, {int(t), flops * double(last - first)});
      }
    }).wait();
  };
}

}  // namespace

Loop worker_loop(std::shared_ptr<RuntimeState> const& runtime, std::size_t points) {
  constexpr std::size_t for_each = 8;  // tasks per worker, so that none waits long for the last one
  constexpr std::size_t many = 64;     // beyond that, many workers gain less than submission takes (14 us a task)
  auto const workers = std::size_t(sort_workers(points));
  return workers == 0 ? Loop(in_turn) : loop_by_tasks(runtime, std::min(for_each * workers, std::max(many, workers)));
}

Loop cell_loop(std::shared_ptr<RuntimeState> const& runtime, Cells const& cells) {
  constexpr double many = 1 << 19;  // counting columns takes 1 to 4 ms for these on one core
  // A loop over 4 million cells is 4 ms of one core, a task 14 us of the caller's: more tasks take longer to submit
  // than they save.
  constexpr int most = 16;
  double const all = double(cells.count[0]) * cells.count[1] * cells.count[2];
  int const workers = all < many ? 0 : sort_workers(std::size_t(all));
  return workers == 0 ? Loop(in_turn) : loop_by_tasks(runtime, std::size_t(std::min(most, 2 * workers)));
}

}  // namespace nearfar::detail

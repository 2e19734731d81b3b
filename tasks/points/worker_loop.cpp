// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/worker_loop.hpp"

#include "codelets/points/loop/loop.hpp"
#include "tasks/engine/solve/submit.hpp"

#include <algorithm>

namespace nearfar::detail {

Loop worker_loop(std::shared_ptr<RuntimeState> const& runtime, std::size_t points) {
  constexpr std::size_t for_each = 8;  // tasks per worker, so that none waits long for the last one
  constexpr double flops = 1e5;        // of one turn, an estimate
  auto const workers = std::size_t(sort_workers(points));
  if (workers == 0) return in_turn;
  return [runtime, workers](std::size_t count, std::function<void(std::size_t)> const& body) {
    if (count < 2) return in_turn(count, body);
    std::size_t const tasks = std::min(count, for_each * workers);
    submit_solve(runtime, {}, {}, [&](Graph& graph) {
      for (std::size_t t = 0; t < tasks; ++t) {
        std::size_t const first = count * t / tasks, last = count * (t + 1) / tasks;
        graph.insert<LoopPart>({&body, first, last}, {int(t), flops * double(last - first)});
      }
    }).wait();
  };
}

Loop cell_loop(std::shared_ptr<RuntimeState> const& runtime, Cells const& cells) {
  constexpr double many = 1 << 19;  // cut_chunks takes 3 ms for these, on one core as by tasks on two
  double const all = double(cells.count[0]) * cells.count[1] * cells.count[2];
  return all < many ? Loop(in_turn) : worker_loop(runtime, std::size_t(all));
}

}  // namespace nearfar::detail

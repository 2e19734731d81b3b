// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/solve/submit.hpp"
#include "tasks/nodes/deal.hpp"
#include "tests/mpi/ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

namespace nearfar::test {

/// Graphs of so many ranks, of which each of two processes builds the part of one. Nothing is computed, and messages
/// only pretend to go.
inline constexpr int many = 1000;
inline int one_of_many() { return runtime().rank() == 0 ? many / 2 : 1; }

/// Each rank gives points of its part of the box along x.
inline std::vector<double> positions_of_ranks(std::size_t of_rank) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> x;
  for (int r = 0; r < many; ++r)
    for (std::size_t i = 0; i < of_rank; ++i)
      for (int d = 0; d < 3; ++d) x.push_back(d == 0 ? (r + uniform(random)) / many : uniform(random));
  return x;
}

inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// `build` makes the data of a solve and inserts its tasks: in less than a second of CPU time.
inline void expect_quick_graphs(detail::Ranks const& ranks, std::shared_ptr<detail::RuntimeState> const& runtime,
                                std::vector<std::shared_ptr<void const>> const& keep_alive,
                                std::function<void(detail::Graph&)> const& build) {
  double most = 0;  // the first two solves of a plan also register their work space
  std::size_t tasks = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    auto solve = detail::submit_solve(runtime, keep_alive, {.ranks = &ranks}, [&](detail::Graph& graph) {
      // Tasks of a solve that has failed return at once.
      graph.solve().errors().store("nothing", 0, "none", std::make_exception_ptr(std::runtime_error("is computed")));
      double const begin = thread_seconds();
      build(graph);
      most = std::max(most, thread_seconds() - begin);
    });
    tasks = solve.state()->tasks().size();
    CHECK_THROWS(solve.wait());
  }
  std::printf("rank %d of %d: %zu tasks, %.3f s\n", ranks.rank(), many, tasks, most);
  CHECK(tasks > 20);
  CHECK(tasks < 5000);
  CHECK(most < 1);
}

}  // namespace nearfar::test

// SPDX-License-Identifier: BSD-3-Clause
// A process that solves on and on keeps its size. (Handles that are only read cost 10 KB per solve here, once.)
#include "tests/tasks/engine/steps_memory.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using test::resident_bytes;

TEST_CASE("memory: many solves on the same points, and many sets of points, need no more than few") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  Ewald plan(runtime, {.tolerance = 1e-3});
  test::Problem<double> const problem(500, 3);
  std::vector<double> u(3 * 500);
  auto points = plan.set_points(problem.x);
  auto const bytes_after = [&](int solves, bool move) {
    for (int i = 0; i < solves; ++i) {
      if (move) points = plan.set_points(problem.x);
      plan.submit(points, problem.f, u).wait();
    }
    return resident_bytes();
  };
  for (bool move : {false, true}) {
    CAPTURE(move);
    double const before = bytes_after(300, move);
    CHECK(bytes_after(700, move) - before < 1e6);
  }
}

TEST_CASE("memory: steps, and sets of points that tasks sort, need no more than the first ones") {
  CHECK(test::growth_of_steps(150, 20) < 8e6);
}

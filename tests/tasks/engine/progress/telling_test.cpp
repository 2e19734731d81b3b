// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/progress/progress.hpp"

#include <doctest/doctest.h>
#include <stdexcept>
#include <vector>

using nearfar::detail::Progress;

TEST_CASE("telling: on each percent once, in increasing order, and not when no task is left") {
  std::vector<double> told;
  Progress progress([&](double fraction) { told.push_back(fraction); }, 1000);
  for (int const left : {999, 990, 989, 985, 990, 500, 0}) progress.tasks_left(left);
  CHECK(told == std::vector<double>{1 - 0.99, 0.5});
  progress.complete();
  CHECK(told.back() == 1);
}

TEST_CASE("telling: a callback that has thrown is not called again, also by a worker that saw no error yet") {
  int calls = 0;
  Progress progress(
      [&](double) {
        ++calls;
        throw std::runtime_error("enough");
      },
      10);
  CHECK_THROWS_WITH_AS(progress.tasks_left(9), "enough", std::runtime_error);
  for (int left = 8; left >= 0; --left) CHECK_NOTHROW(progress.tasks_left(left));
  CHECK(calls == 1);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/particles/ladder.hpp"

#include <array>
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

using namespace nearfar::detail;

namespace {

struct FakePoints : Rung<FakePoints> {
  explicit FakePoints(int level_) : level(level_) {}
  int level;
};

/// A method whose plans are levels; `errors` has what a solve with some strengths errs on each, and where the levels
/// end.
struct FakeMethod {
  static constexpr double tolerance = 1e-6;
  std::vector<double> errors;
  double rounding = 0;
  int solves = 0, plans = 0;
  std::function<void()> meanwhile = [] {};  ///< what others do while a solve runs

  /// One solve: the level whose result stands.
  int solve(std::shared_ptr<FakePoints> const& points) {
    std::shared_ptr<FakePoints> at = points->finest(), next;
    for (;; at = next) {
      ++solves;
      std::exchange(meanwhile, [] {})();
      double const error = errors[std::size_t(at->level)];
      if (error <= tolerance) return at->level;
      at->set_missed(error);
      bool const helped = at->error_below() == 0 || error < at->error_below();
      next = next_rung(*at, {error, rounding, helped, error < 0.5}, [&]() -> std::shared_ptr<FakePoints> {
        return at->level + 1 < int(errors.size()) ? climb(at, error) : nullptr;
      });
      if (!next) return points->finest()->level;
    }
  }
  std::shared_ptr<FakePoints> climb(std::shared_ptr<FakePoints> const& from, double error) {
    ++plans;
    auto const made = std::make_shared<FakePoints>(from->level + 1);
    from->add_above(made, error);
    return made;
  }
};

std::shared_ptr<FakePoints> at_level_0() { return std::make_shared<FakePoints>(0); }

}  // namespace

TEST_CASE("a solve within the tolerance keeps its plan") {
  auto const points = at_level_0();
  FakeMethod method{{1e-7, 1e-9}};
  CHECK(method.solve(points) == 0);
  CHECK(method.solves == 1);
  CHECK(method.plans == 0);
  CHECK_FALSE(points->settled());
  CHECK(points->missed() == 0);
}

TEST_CASE("a solve that misses the tolerance climbs until a plan meets it, and later solves begin there") {
  auto const points = at_level_0();
  FakeMethod method{{1e-3, 1e-5, 1e-7, 1e-9}};
  CHECK(method.solve(points) == 2);
  CHECK(method.solves == 3);
  CHECK(method.plans == 2);
  CHECK(points->missed() == 1e-3);
  CHECK(points->finest()->level == 2);
  CHECK(points->finest()->error_below() == 1e-5);
  CHECK(points->finest()->below()->level == 1);
  CHECK(method.solve(points) == 2);
  CHECK(method.solves == 4);
  CHECK(method.plans == 2);
}

TEST_CASE("a solve uses the finer plan that another one has made meanwhile") {
  auto const points = at_level_0();
  FakeMethod method{{1e-3, 1e-7}};
  method.meanwhile = [&] { method.climb(points, 1e-3); };
  CHECK(method.solve(points) == 1);
  CHECK(method.solves == 2);
  CHECK(method.plans == 1);
}

TEST_CASE("without a finer plan the best result stands, and the next solve may climb again") {
  auto const points = at_level_0();
  FakeMethod method{{1e-3, 1e-4}};
  CHECK(method.solve(points) == 1);
  CHECK(method.solves == 2);
  CHECK_FALSE(points->finest()->settled());
  CHECK(points->finest()->missed() == 1e-4);
  method.errors.push_back(1e-8);
  CHECK(method.solve(points) == 2);
}

TEST_CASE("what is no better on a finer plan, and has no digit right, goes back for good") {
  auto const points = at_level_0();
  FakeMethod method{{0.8, 0.9, 1e-8}};
  CHECK(method.solve(points) == 0);
  CHECK(method.solves == 2);
  CHECK(method.plans == 1);
  CHECK(points->settled());
  CHECK(points->missed() == 0.9);
  CHECK(method.solve(points) == 0);
  CHECK(method.solves == 3);
  CHECK(method.plans == 1);
}

TEST_CASE("a plan that does not help is left by a finer one that does") {
  auto const points = at_level_0();
  FakeMethod method{{1e-3, 2e-3, 1e-7}};
  CHECK(method.solve(points) == 2);
  CHECK_FALSE(points->settled());
}

TEST_CASE("giving up goes back to the best plan, and to the coarsest of those that are as good") {
  SUBCASE("one level down") {
    auto const points = at_level_0();
    FakeMethod method{{1e-3, 1e-4, 2e-4}};
    CHECK(method.solve(points) == 1);
    CHECK(points->finest()->settled());
    CHECK_FALSE(points->settled());
    CHECK(points->finest()->missed() == 2e-4);
  }
  SUBCASE("all the way") {
    auto const points = at_level_0();
    FakeMethod method{{1e-4, 1e-3, 2e-3}};
    CHECK(method.solve(points) == 0);
    CHECK(method.plans == 2);
    CHECK(points->settled());
    CHECK(points->missed() == 1e-3);  // what the level above had
  }
  SUBCASE("all are alike") {
    auto const points = at_level_0();
    FakeMethod method{{1e-4, 1e-4, 1e-4}};
    CHECK(method.solve(points) == 0);
    CHECK(points->settled());
  }
}

TEST_CASE("no plan moves points back that rounding has moved") {
  auto const points = at_level_0();
  FakeMethod method{{1e-4, 1e-7}};
  method.rounding = 2e-4;
  CHECK(method.solve(points) == 0);
  CHECK(method.plans == 0);
  CHECK_FALSE(points->settled());
}

TEST_CASE("a settled plan is not left, whatever its error") {
  auto const points = at_level_0();
  points->settle();
  FakeMethod method{{0.9, 1e-7}};
  CHECK(method.solve(points) == 0);
  CHECK(method.solves == 1);
}

TEST_CASE("points in another plan that no error called for have no plan to go back to") {
  auto const points = at_level_0(), other = std::make_shared<FakePoints>(1);
  points->replace_by(other);
  CHECK(points->finest() == other);
  CHECK(other->below() == nullptr);
  other->give_up(1);
  CHECK(other->settled());
  CHECK_FALSE(points->settled());
  CHECK(points->finest() == other);
}

TEST_CASE("of solves that miss the tolerance at once, one makes the next plan, and the others use it") {
  auto const points = at_level_0();
  FakeMethod method{{1e-3, 1e-7}};
  std::array<std::shared_ptr<FakePoints>, 4> next;
  {
    std::vector<std::jthread> solves;
    for (auto& one : next)
      solves.emplace_back([&] {
        one = next_rung(*points, {1e-3, 0, true, true}, [&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          return method.climb(points, 1e-3);
        });
      });
  }
  CHECK(method.plans == 1);
  for (auto const& one : next) CHECK(one == points->finest());
}

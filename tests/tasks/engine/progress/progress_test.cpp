// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/problem.hpp"

#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <limits>
#include <nearfar/direct.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace nearfar;
using test::Problem;

namespace {

EwaldOptions const options{.tolerance = 1e-9, .cutoff = 0.2, .grid = std::array{48, 48, 48}};

/// What a callback was told. Calls come one at a time, so that no lock is needed; that is counted too.
struct Told {
  std::vector<double> fractions;
  std::atomic<int> inside{0};
  bool at_once = false;
  bool by_caller = false;
  std::thread::id caller = std::this_thread::get_id();

  void operator()(double fraction) {
    at_once = at_once || inside.fetch_add(1) > 0;
    by_caller = by_caller || std::this_thread::get_id() == caller;
    fractions.push_back(fraction);
    inside.fetch_sub(1);
  }
};

/// In increasing order, at most one for each percent, the last of them 1.
void check_complete(Told const& told) {
  REQUIRE(!told.fractions.empty());
  CHECK(told.fractions.back() == 1);
  CHECK(told.fractions.front() > 0);
  for (std::size_t i = 1; i < told.fractions.size(); ++i)
    CHECK(int(100 * told.fractions[i]) > int(100 * told.fractions[i - 1]));
  CHECK(!told.at_once);
}

}  // namespace

TEST_CASE("progress: in increasing order, one call at a time, on workers, to 1 when the solve has ended") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(20000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> u(p.x.size()), silent(p.x.size());
  Told told;
  auto solve = plan.submit(points, p.f, u);
  solve.on_progress(std::ref(told));
  solve.wait();
  check_complete(told);
  CHECK(told.fractions.size() > 5);
  CHECK(told.fractions.size() <= 100);
  CHECK(!told.by_caller);
  auto const calls = told.fractions.size();
  plan.submit(points, p.f, silent).wait();
  CHECK(told.fractions.size() == calls);  // none after wait
  CHECK(u == silent);
}

TEST_CASE("progress: solves in flight tell their own, and one that has ended tells 1 at once") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(5000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> results[3];
  Told told[3];
  std::vector<Solve> solves;
  for (int i = 0; i < 3; ++i) {
    results[i].resize(p.x.size());
    solves.push_back(plan.submit(points, p.f, results[i]));
    solves.back().on_progress(std::ref(told[i]));
  }
  for (int i = 0; i < 3; ++i) {
    solves[std::size_t(i)].wait();
    check_complete(told[i]);
  }
  Told late;
  solves[0].on_progress(std::ref(late));
  CHECK(late.fractions == std::vector<double>{1});
}

TEST_CASE("progress: a direct sum tells it, too") {
  Runtime const runtime;
  Problem<> const p(3000, 3);
  std::vector<double> u(p.x.size());
  Told told;
  auto solve = direct(runtime, Kernel::stokeslet, {}, p.x, p.x, p.f, u);
  solve.on_progress(std::ref(told));
  solve.wait();
  check_complete(told);
}

TEST_CASE("progress: what the callback throws ends its solve, comes from wait as it is, and reaches no other solve") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(20000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> u(p.x.size()), v(p.x.size());
  std::atomic<int> calls{0};
  auto stopped = plan.submit(points, p.f, u);
  stopped.on_progress([&](double) {
    ++calls;
    throw std::runtime_error("enough");
  });
  auto other = plan.submit(points, p.f, v);
  CHECK_THROWS_WITH_AS(stopped.wait(), "enough", std::runtime_error);
  CHECK_THROWS_WITH_AS(stopped.wait(), "enough", std::runtime_error);
  CHECK(calls == 1);
  other.wait();
  plan.submit(points, p.f, u).wait();
  CHECK(u == v);
}

TEST_CASE("progress: a solve that fails is never told to be complete") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(5000, 3);
  auto const points = plan.set_points(p.x);
  auto broken = p.f;
  broken[7] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> u(p.x.size());
  Told told;
  auto solve = plan.submit(points, broken, u);
  solve.on_progress(std::ref(told));
  CHECK_THROWS_AS(solve.wait(), Error);
  CHECK(std::ranges::all_of(told.fractions, [](double fraction) { return fraction < 1; }));
  Told late;
  solve.on_progress(std::ref(late));
  CHECK(late.fractions.empty());
}

TEST_CASE("progress: a second callback is refused") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(20000, 3);
  std::vector<double> u(p.x.size());
  auto solve = plan.submit(plan.set_points(p.x), p.f, u);
  solve.on_progress([](double) {});
  CHECK_THROWS_WITH_AS(solve.on_progress([](double) {}), doctest::Contains("already"), Error);
  solve.wait();
  CHECK_THROWS_AS(Solve{}.on_progress([](double) {}), Error);
}

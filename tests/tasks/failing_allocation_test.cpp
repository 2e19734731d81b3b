// SPDX-License-Identifier: BSD-3-Clause
// Allocation number n fails, for one n after the other, in a small solve of each solver: every time there is an error
// that says so, or the right result, and nothing is left behind.
#include "tests/tasks/failing_allocation.hpp"
#include "tests/tasks/pic/bunch.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <string>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Writes its result to what it is given, which is long enough.
using Run = std::function<void(std::vector<double>&)>;

/// How often `run` ended in either way.
struct Ends {
  int errors = 0, results = 0;
};

/// One run in which allocation n fails; whether it has.
bool fails_at(long n, Run const& run, std::vector<double> const& expected, Ends& ends) {
  CAPTURE(n);
  std::vector<double> found(expected.size(), -1);
  fail_allocation(n);
  try {
    run(found);
    bool const failed = allocation_failed();
    fail_allocation(0);
    CHECK(found == expected);
    ++ends.results;
    return failed;
  } catch (Error const& e) {
    fail_allocation(0);
    CHECK(e.fault() == Fault::no_resource);
    ++ends.errors;
  } catch (std::bad_alloc const&) {
    fail_allocation(0);
    FAIL_CHECK("std::bad_alloc came out of the library");
  }
  return true;
}

/// 40 of all allocations of a run, evenly spaced, or as many as NEARFAR_FAILING_ALLOCATIONS says (a test of its own,
/// labelled slow).
void check(std::size_t numbers, Run const& run) {
  char const* const wish = std::getenv("NEARFAR_FAILING_ALLOCATIONS");
  long const steps = wish != nullptr ? std::atol(wish) : 40;
  std::vector<double> expected(numbers);
  for (int round = 0; round < 3; ++round) {  // what is kept for later is there then
    fail_allocation(0);
    run(expected);
  }
  long const all = allocations(), step = std::max(1L, all / steps);
  Ends ends;
  for (long n = 1; n < all; n += 1 + all / 10) fails_at(n, run, expected, ends);  // and what the first errors leave
  long const before = live_allocations();
  for (long n = 1; fails_at(n, run, expected, ends); n += step) {
    CAPTURE(n);
    CHECK(live_allocations() == before);
  }
  MESSAGE(all, " allocations, ", ends.errors, " errors, ", ends.results, " results");
  CHECK(ends.errors > std::min(all, steps) / 4);
}

Runtime test_runtime() { return Runtime({.scheduler = "overlap", .cpus = 2, .gpus = 0}); }

constexpr std::size_t count = 200;

}  // namespace

TEST_CASE("failing allocations: ewald") {
  auto const runtime = test_runtime();
  Problem<> const p(count, 9);
  auto const with = [&](EwaldOptions const& options) {
    check(3 * count, [&](std::vector<double>& u) {
      Ewald plan(runtime, options);
      plan.submit(plan.set_points(p.x), p.f, u).report();
    });
  };
  with({.kernel = Kernel::stokes, .tolerance = 1e-3});
  with({.kernel = Kernel::stokes, .periodicity = Periodicity::none, .box = {0, 0, 0}, .tolerance = 1e-3});
}

TEST_CASE("failing allocations: fmm") {
  auto const runtime = test_runtime();
  Problem<> p(count, 1);
  auto const with = [&](FmmOptions const& options) {
    check(count, [&](std::vector<double>& u) {
      Fmm plan(runtime, options);
      auto points = plan.set_points(p.x);
      points = plan.move_points(points, p.x);
      plan.submit(points, p.f, u).report();
    });
  };
  with({.tolerance = 1e-2, .depth = 2});
  with({.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-2, .capacity = 20});
}

TEST_CASE("failing allocations: direct") {
  auto const runtime = test_runtime();
  Problem<> const p(count, 3);
  check(3 * count, [&](std::vector<double>& u) { direct(runtime, Kernel::stokeslet, {}, p.x, p.x, p.f, u).report(); });
}

TEST_CASE("failing allocations: poisson, whose Green's function is made as tasks too") {
  auto const runtime = test_runtime();
  auto const density = Problem<>(8 * 6 * 10, 1).f;
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico_dct})
    check(density.size(), [&](std::vector<double>& phi) {
      Poisson plan(runtime, {.method = method, .grid = {8, 6, 10}});
      plan.submit(density, phi).wait();
      plan.set_spacing({0.5, 0.5, 0.5});
      plan.submit(density, phi).report();
    });
}

TEST_CASE("failing allocations: a particle-in-cell loop") {
  auto const runtime = test_runtime();
  test::Bunch<> const bunch(count, 0.2, -1);
  PicOptions const options{.grid = {8, 6, 10}, .time_step = 0.01};
  check(6 * count, [&](std::vector<double>& state) {
    auto loop = bunch.loop(runtime, options);
    Solve steps = loop.advance(2);
    std::span<double> const all(state);
    Solve read = loop.read({.positions = all.first(3 * count), .velocities = all.last(3 * count)});
    steps.wait();  // whose error is the cause, if there is one
    read.report();
  });
}

TEST_CASE("failing allocations: a solve in flight beside one that fails is right, and its callbacks are called") {
  auto const runtime = test_runtime();
  Problem<> const p(count, 3);
  Ewald plan(runtime, {.tolerance = 1e-3});
  auto const points = plan.set_points(p.x);
  std::vector<double> expected(3 * count);
  plan.submit(points, p.f, expected).wait();
  for (long n = 1; n < 400; n += 13) {
    CAPTURE(n);
    std::vector<double> u(3 * count), v(3 * count);
    int calls = 0;
    Solve good = plan.submit(points, p.f, u);
    good.then([&] { ++calls; });
    fail_allocation(n);
    try {
      plan.submit(points, p.f, v).wait();
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::no_resource);
    }
    fail_allocation(0);
    try {
      good.wait();
      CHECK(u == expected);
    } catch (Error const& e) {  // it was the one whose allocation failed
      CHECK(e.fault() == Fault::no_resource);
    }
    CHECK(calls == 1);
  }
}

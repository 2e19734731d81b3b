// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/held.hpp"
#include "tests/tasks/problem.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <doctest/doctest.h>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

using namespace nearfar;
using test::Problem;

namespace {

EwaldOptions const options{.tolerance = 1e-4, .cutoff = 0.2, .grid = std::array{32, 32, 32}};

struct InFlight {
  Problem<> problem;
  std::vector<double> u;
  Solve solve;
  InFlight(Ewald& plan, Points const& points, unsigned seed)
      : problem(points.sources(), 3, seed), u(3 * points.targets()) {
    solve = plan.submit(points, problem.f, u);
  }
};

}  // namespace

TEST_CASE("several solves in flight on the same points do not disturb each other") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(3000, 3);
  auto const points = plan.set_points(p.x);
  std::deque<InFlight> flights;
  for (unsigned seed = 0; seed < 6; ++seed) flights.emplace_back(plan, points, seed);
  std::vector<double> alone(p.x.size());
  for (auto& flight : flights) {
    flight.solve.wait();
    CHECK(flight.solve.ready());
    plan.submit(points, flight.problem.f, alone).wait();
    CHECK(flight.u == alone);
  }
}

TEST_CASE("two threads submit to one plan") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(2000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> alone(p.x.size());
  plan.submit(points, p.f, alone).wait();
  std::vector<double> u[2];
  std::thread threads[2];
  for (int t = 0; t < 2; ++t)
    threads[t] = std::thread([&, t] {
      u[t].resize(p.x.size());
      for (int i = 0; i < 3; ++i) plan.submit(points, p.f, u[t]).wait();
    });
  for (auto& thread : threads) thread.join();
  CHECK(u[0] == alone);
  CHECK(u[1] == alone);
}

TEST_CASE("an error inside a task reaches wait() of its solve, and only of it") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(2000, 3);
  auto const points = plan.set_points(p.x);
  auto broken = p.f;
  broken[3 * 1234 + 1] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> u(p.x.size()), v(p.x.size()), w(p.x.size());
  auto before = plan.submit(points, p.f, u);
  auto failing = plan.submit(points, broken, v);
  auto after = plan.submit(points, p.f, w);
  try {
    failing.wait();
    FAIL("the NaN went unseen");
  } catch (Error const& e) {
    CHECK(e.fault() == Fault::bad_input);
    std::string const text = e.what();
    CHECK(text.find("strength 1 of source 1234 is nan") != std::string::npos);
    CHECK(text.find("stage bin") != std::string::npos);
    CHECK(text.find("worker") != std::string::npos);
  }
  CHECK_THROWS_AS(failing.wait(), Error);
  CHECK_THROWS_AS(failing.report(), Error);
  before.wait();
  after.wait();
  CHECK(u == w);
}

TEST_CASE("a solve that is dropped without wait ends before its memory goes") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(2000, 3);
  auto points = std::optional(plan.set_points(p.x));
  std::vector<double> u(p.x.size(), -1), expected(p.x.size());
  plan.submit(*points, p.f, expected).wait();
  { auto const dropped = plan.submit(*points, p.f, u); }
  CHECK(u == expected);
  std::fill(u.begin(), u.end(), -1);
  auto solve = plan.submit(*points, p.f, u);
  points.reset();   // the solve keeps what it needs
  solve = Solve();  // assigning waits as well
  CHECK(u == expected);
}

TEST_CASE("plan, points and runtime may go before the solve that uses them") {
  Problem<> const p(1000, 3);
  std::vector<double> u(p.x.size());
  Solve solve;
  {
    Ewald plan(Runtime(), options);
    solve = plan.submit(plan.set_points(p.x), p.f, u);
  }
  solve.wait();
  CHECK(std::isfinite(u[0]));
}

TEST_CASE("wait_for: until the time is over, or the solve has ended, callbacks included") {
  Runtime const runtime;
  test::Held held(runtime);
  std::atomic<bool> called = false;
  held.solve.then([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    called = true;
  });
  CHECK(!held.solve.wait_for(0));
  CHECK(!held.solve.wait_for(0.01));
  held.let_go();
  CHECK(held.solve.wait_for(std::numeric_limits<double>::infinity()));
  CHECK(called);
  CHECK(held.solve.wait_for(0));
  CHECK_THROWS_WITH_AS(held.solve.wait_for(-1), "seconds is -1, which is no time to wait; use 0 or more", Error);
  CHECK_THROWS_AS(held.solve.wait_for(std::nan("")), Error);
}

TEST_CASE("callbacks use their solve while its destructor waits, and while another takes its place") {
  Runtime const runtime;
  std::atomic<int> told = 0;
  {
    test::Held held(runtime);
    held.solve.then([&] { told += held.solve.ready() && held.solve.report().tasks > 0; });
    held.let_go();
    held.solve = Solve();
    CHECK(told == 1);
  }
  auto held = std::make_unique<test::Held>(runtime);
  held->solve.then([&told, solve = &held->solve] { told += solve->wait_for(0) && solve->report().tasks > 0; });
  held.reset();
  CHECK(told == 2);
}

TEST_CASE("wait_for tells no error of tasks, but wait does") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(1000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> u(p.x.size()), none(p.f.size(), std::nan(""));
  auto solve = plan.submit(points, none, u);
  CHECK(solve.wait_for(600));
  CHECK_THROWS_AS(solve.wait(), Error);
}

TEST_CASE("then: called once, when the solve has ended, also after the end; what it throws comes from wait") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(1000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> u(p.x.size());
  auto solve = plan.submit(points, p.f, u);
  std::atomic<int> calls{0};
  solve.then([&] {
    CHECK(solve.ready());
    solve.wait();  // of itself: returns at once
    ++calls;
  });
  solve.wait();
  CHECK(calls == 1);
  solve.then([&] { ++calls; });
  CHECK(calls == 2);
  auto throwing = plan.submit(points, p.f, u);
  throwing.then([] { throw std::runtime_error("from the callback"); });
  CHECK_THROWS_WITH(throwing.wait(), "from the callback");
}

TEST_CASE("a cancelled solve ends early with an error of its own, and a solve that has ended cannot be cancelled") {
  Runtime const runtime;
  Ewald plan(runtime, {.tolerance = 1e-9, .cutoff = 0.4, .grid = std::array{48, 48, 48}});
  Problem<> const p(20000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> u(p.x.size()), v(p.x.size());
  auto cancelled = plan.submit(points, p.f, u);
  auto kept = plan.submit(points, p.f, v);
  cancelled.cancel();
  CHECK_THROWS_WITH_AS(cancelled.wait(), doctest::Contains("cancelled by its caller"), Error);
  kept.wait();
  kept.cancel();
  kept.wait();
  CHECK(std::isfinite(v[0]));
  CHECK_THROWS_AS(Solve{}.cancel(), Error);
}

TEST_CASE("the report adds up") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(5000, 3);
  std::vector<double> u(p.x.size());
  auto const r = plan.submit(plan.set_points(p.x), p.f, u).report();
  double busy = 0;
  int tasks = 0;
  for (auto const& stage : r.stages) {
    busy += stage.seconds;
    tasks += stage.tasks;
    CHECK(stage.seconds > 0);
  }
  CHECK(tasks == r.tasks);
  CHECK(r.stages.size() == 11);
  CHECK(busy <= r.seconds * r.workers * 1.001);
  CHECK(r.idle_fraction >= 0);
  CHECK(r.idle_fraction < 1);
  CHECK(r.overlap_fraction >= 0);
  CHECK(r.overlap_fraction <= 1);
  CHECK(r.submit_seconds < r.seconds);
}

TEST_CASE("a box left open follows the points, and points set before stay good") {
  Runtime const runtime;
  Ewald plan(runtime, {.periodicity = Periodicity::none, .box = {0, 0, 0}, .tolerance = 1e-8, .count = 500});
  auto const u = [&](Points const& points, Problem<> const& p) {
    std::vector<double> result(p.x.size());
    plan.submit(points, p.f, result).wait();
    return result;
  };
  auto const close = [](std::vector<double> const& a, std::vector<double> const& b) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      error += (a[i] - b[i]) * (a[i] - b[i]);
      size += b[i] * b[i];
    }
    return error <= 1e-15 * size;  // to the tolerance, twice
  };
  Problem<> p(500, 3), moved = p, grown = p;
  auto const points = plan.set_points(p.x);
  auto const box = plan.parameters().box;
  auto const first = u(points, p);
  for (double& x : moved.x) x += 40;
  CHECK(close(u(plan.set_points(moved.x), moved), first));
  CHECK(plan.parameters().box == box);
  for (double& x : grown.x) x *= 3;
  auto expanded = u(plan.set_points(grown.x), grown);
  for (double& value : expanded) value *= 3;  // the kernel falls like 1 / r
  CHECK(close(expanded, first));
  for (std::size_t d = 0; d < 3; ++d) CHECK(plan.parameters().box[d] > 3 * box[d]);
  CHECK(u(points, p) == first);
}

TEST_CASE("bad input is refused with the value and the cure") {
  Runtime const runtime;
  Ewald plan(runtime, options);
  Problem<> const p(100, 3);
  std::vector<double> u(300);
  auto message = [](auto body) -> std::string {
    try {
      body();
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::bad_input);
      return e.what();
    }
    return "nothing was thrown";
  };
  auto contains = [](std::string const& text, char const* part) { return text.find(part) != std::string::npos; };
  std::span<double const> const x(p.x), f(p.f);
  CHECK(contains(message([&] { Ewald(runtime, options).parameters(); }), "count"));
  CHECK(contains(message([&] { plan.set_points(x.first(0)); }), "no sources"));
  CHECK(contains(message([&] { plan.set_points(x.first(7)); }), "7 numbers"));
  auto const points = plan.set_points(x);
  CHECK(contains(message([&] { plan.submit(points, f.first(299), u); }), "299"));
  CHECK(contains(message([&] { plan.submit(points, f, std::span(u).first(30)); }), "30 numbers"));
  Ewald other(runtime, options);
  CHECK(contains(message([&] { other.submit(points, f, u); }), "another plan"));
  auto broken = p.x;
  broken[3 * 42 + 2] = std::numeric_limits<double>::infinity();
  CHECK(contains(message([&] { plan.set_points(broken); }), "coordinate z of source 42 is inf"));
  auto twice = p.x;
  for (std::size_t d = 0; d < 3; ++d) twice[3 * 17 + d] = twice[3 * 71 + d] + (d == 1 ? 1.0 : 0.0);  // an image
  twice[3 * 71 + 1] = 0.25;
  twice[3 * 17 + 1] = 1.25;
  CHECK(contains(message([&] { plan.set_points(twice); }), "17 and 71 are at the same point"));
  Ewald slab(runtime, {.periodicity = Periodicity::xy, .box = {1, 1, 2}, .tolerance = 1e-4});
  auto outside = p.x;
  for (std::size_t i = 2; i < outside.size(); i += 3) outside[i] = 2;  // the end of the box is in it
  slab.set_points(outside);
  outside[3 * 5 + 2] = 2.5;
  CHECK(
      contains(message([&] { slab.set_points(outside); }), "coordinate z of source 5 is 2.5 (outside the box, [0, 2]"));
  outside[3 * 5 + 2] = 19999.52;
  CHECK(contains(message([&] { slab.set_points(outside); }), "coordinate z of source 5 is 19999.52 (outside"));
  CHECK(contains(message([&] { Solve().wait(); }), "no solve"));
}

TEST_CASE(
    "an energy beyond the range of numbers is infinite, and no error is told of it; fields keep their tolerance") {
  Runtime const runtime;
  Ewald plan(runtime, {.kernel = Kernel::laplace, .outputs = Output::potential, .box = {1, 1, 1}, .tolerance = 1e-4});
  auto const points = plan.set_points(std::vector{0.25, 0.25, 0.25, 0.75, 0.75, 0.75});
  std::vector<double> charges, result(2);
  auto const report = [&](double charge) {
    charges = {charge, -charge};
    return plan.submit(points, charges, result).report();
  };
  auto const beyond = report(1e200);
  CHECK(beyond.energy == -std::numeric_limits<double>::infinity());
  CHECK(beyond.energy_error == 0);
  CHECK(beyond.sampled_error <= 1e-4);
  double const potential = result[0] / 1e200;
  auto const within = report(1);
  CHECK(within.energy_error > 0);
  CHECK(result[0] == doctest::Approx(potential));
}

// SPDX-License-Identifier: BSD-3-Clause
// Many small solves from many threads, plans that come and go, and a NaN in every tenth: nothing is lost, no error
// reaches another solve, and memory stays as it is.
#include "tests/tasks/engine/gpu/resident.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <deque>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

using namespace nearfar;
using test::Problem;
using test::resident_bytes;

namespace {

constexpr int threads = 8, solves_per_thread = 1250, solves_per_plan = 125, in_flight = 6;
constexpr std::size_t count = 200;

/// What became of the solves of all threads.
struct Tally {
  std::atomic<int> right{0}, wrong{0}, refused{0}, misplaced{0};
};

struct Flight {
  std::vector<double> strengths, result = std::vector<double>(3 * count, -1);
  bool broken = false;
  Solve solve{};
};

void land(Flight& flight, std::vector<double> const& expected, Tally& tally) {
  try {
    flight.solve.wait();
    if (flight.broken) ++tally.misplaced;
    else ++(flight.result == expected ? tally.right : tally.wrong);
  } catch (Error const&) {
    ++(flight.broken ? tally.refused : tally.misplaced);
  }
}

/// One user: plans of its own, several solves in flight on each.
void use(Runtime const& runtime, int thread, int solves, Tally& tally) {
  Problem<> const p(count, 3, unsigned(thread));
  std::optional<Ewald> plan;
  std::optional<Points> points;
  std::vector<double> expected(3 * count);
  std::deque<Flight> flights;
  for (int i = 0; i < solves; ++i) {
    if (i % solves_per_plan == 0) {
      plan.emplace(runtime, EwaldOptions{.tolerance = 1e-3});  // the solves in flight keep the plan before
      points.emplace(plan->set_points(p.x));
      plan->submit(*points, p.f, expected).wait();
    }
    auto& flight = flights.emplace_back(Flight{p.f});
    flight.broken = (i + thread) % 10 == 0;
    if (flight.broken)
      flight.strengths[std::size_t(i) % flight.strengths.size()] = std::numeric_limits<double>::quiet_NaN();
    flight.solve = plan->submit(*points, flight.strengths, flight.result);
    if (flights.size() < in_flight) continue;
    land(flights.front(), expected, tally);
    flights.pop_front();
  }
  for (auto& flight : flights) land(flight, expected, tally);
}

void use_from_all(Runtime const& runtime, int solves, Tally& tally) {
  std::vector<std::thread> users;
  for (int t = 0; t < threads; ++t) users.emplace_back([&, t] { use(runtime, t, solves, tally); });
  for (auto& user : users) user.join();
}

}  // namespace

TEST_CASE("load: ten thousand solves from eight threads") {
  for (char const* scheduler : {"overlap", "lws"}) {
    CAPTURE(scheduler);
    Runtime const runtime({.scheduler = scheduler, .cpus = 2, .gpus = 0});
    Tally warm, tally;
    use_from_all(runtime, solves_per_thread / 2, warm);
    double const before = resident_bytes();
    use_from_all(runtime, solves_per_thread / 2, tally);
    CHECK(resident_bytes() - before < 20e6);
    for (auto* t : {&warm, &tally}) {
      CHECK(t->right + t->refused == threads * (solves_per_thread / 2));
      CHECK(t->refused >= threads * (solves_per_thread / 2) / 10 - threads);
      CHECK(t->wrong == 0);
      CHECK(t->misplaced == 0);
    }
  }
}

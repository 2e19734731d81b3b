// SPDX-License-Identifier: BSD-3-Clause
// What a solve tells of itself: the bound, the prediction, and what the scheduler had not measured.
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

using namespace nearfar;
using test::Problem;

namespace {

SolveReport report_of(Runtime const& runtime, std::size_t count, Part part = Part::whole) {
  Ewald plan(runtime, {.tolerance = 1e-4});
  Problem<double> const problem(count, 3);
  auto const points = plan.set_points(problem.x);
  std::vector<double> u(3 * count);
  return plan.submit(points, problem.f, u, part).report();
}

/// StarPU's own folder, empty at first, for the rest of this process.
struct TempHome {
  std::filesystem::path const folder =
      std::filesystem::temp_directory_path() / ("nearfar-report-test-" + std::to_string(getpid()));
  TempHome() {
    for (auto const* name : {"STARPU_HOME", "XDG_CACHE_HOME"}) setenv(name, folder.c_str(), 1);
  }
  ~TempHome() { std::filesystem::remove_all(folder); }
};

double busy(SolveReport const& report) {
  double sum = 0;
  for (auto const& stage : report.stages) sum += stage.seconds;
  return sum;
}

}  // namespace

// The first one here: StarPU looks for its folder once per process.
TEST_CASE("report: what a scheduler that asks for measured times had none of") {
  static TempHome const home;
  setenv("STARPU_HISTORY_MAX_ERROR", "1000000000", 1);  // a busy machine must not make StarPU forget
  {
    Runtime const runtime({.scheduler = "dmdas", .cpus = 2, .gpus = 0});
    auto const missing = report_of(runtime, 2000).uncalibrated;
    for (auto const* stage : {"bin", "p2g", "fft", "scale", "ifft", "g2p", "p2p", "merge"})
      CHECK_MESSAGE(std::count(missing.begin(), missing.end(), stage) == 1, stage);
    SolveReport last;
    for (int i = 0; i < 40; ++i) last = report_of(runtime, 2000);
    CHECK(last.uncalibrated.empty());
    for (auto const& stage : last.stages) CHECK(stage.expected_seconds > 0);
  }
  unsetenv("STARPU_HISTORY_MAX_ERROR");
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  CHECK(report_of(runtime, 2000).uncalibrated.empty());
}

TEST_CASE("report: the far part of a few points is one chain, as long as all its tasks") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  auto const report = report_of(runtime, 8, Part::far);
  REQUIRE(report.tasks == 9);  // largest, units, bin, p2g, fft, scale, ifft, g2p, merge
  CHECK(report.critical_seconds == doctest::Approx(busy(report)).epsilon(1e-9));
  CHECK(report.bound_seconds == report.critical_seconds);
}

TEST_CASE("report: no run is shorter than its bound") {
  for (int cpus : {1, 2}) {
    Runtime const runtime({.scheduler = "lws", .cpus = cpus, .gpus = 0});
    auto const report = report_of(runtime, 20000);
    CHECK(report.critical_seconds > 0);
    CHECK(report.critical_seconds < busy(report));
    CHECK(report.bound_seconds == doctest::Approx(std::max(report.critical_seconds, busy(report) / cpus)));
    CHECK(report.bound_seconds <= report.seconds);
  }
}

TEST_CASE("report: the prediction is that of the plan, shared by the workers as far as there are tasks") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  // Beside the submission, 8 us for each task, and the start of two workers.
  auto const predicted = [&](std::size_t n, Part part) {
    auto const report = report_of(runtime, n, part);
    return report.predicted_seconds - 8e-6 * report.tasks - 2 * 10e-6;
  };
  auto const near = [&](std::size_t n) { return predicted(n, Part::near); };
  auto const far = [&](std::size_t n) { return predicted(n, Part::far); };
  auto const whole = [&](std::size_t n) { return predicted(n, Part::whole); };
  auto const parameters = [&](std::size_t n) {
    Ewald plan(runtime, {.tolerance = 1e-4});
    plan.set_points(Problem<double>(n, 3).x);
    return plan.parameters();
  };
  auto const large = parameters(20000);
  CHECK(near(20000) == doctest::Approx(large.near_seconds / 2).epsilon(0.15));  // an odd number of blocks
  CHECK(near(20000) >= large.near_seconds / 2);
  CHECK(far(20000) == doctest::Approx(large.chain_seconds));
  CHECK(large.chain_seconds >= large.far_seconds / 2);
  double const shared = (large.near_seconds + large.far_seconds) / 2 + large.last_seconds / 4;
  CHECK(whole(20000) == doctest::Approx(std::max({shared, large.chain_seconds, near(20000)})));
  // A few points are in one block, and their far part is a chain: no second worker helps.
  auto const small = parameters(8);
  CHECK(near(8) / small.near_seconds == doctest::Approx(1));
  CHECK(small.chain_seconds > small.far_seconds);  // bin and merge
  CHECK(far(8) / small.chain_seconds == doctest::Approx(1));
  CHECK(whole(8) / std::max(small.near_seconds, small.chain_seconds) == doctest::Approx(1));
}

TEST_CASE("report: points that crowd in one block and slab are predicted to take longer") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  Ewald plan(runtime, {.tolerance = 1e-4, .count = 20000});
  Problem<double> problem(20000, 3);
  std::vector<double> u(3 * 20000);
  auto const far = [&] {
    auto const report = plan.submit(plan.set_points(problem.x), problem.f, u, Part::far).report();
    return report.predicted_seconds - 8e-6 * report.tasks;
  };
  double const even = far();
  for (double& x : problem.x) x *= 1e-3;
  // One task of bin does what two workers would have shared; the chain was a little shorter than what they share.
  auto const p = plan.parameters();
  CHECK(far() - even > 0.1 * p.point_seconds);
  CHECK(far() - even < (p.point_seconds / 2 + p.spread_seconds) / 2);
}

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
  REQUIRE(report.tasks == 7);
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

TEST_CASE("report: the prediction is that of the plan, shared by the workers, part by part") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  auto const whole = report_of(runtime, 3000).predicted_seconds;
  auto const near = report_of(runtime, 3000, Part::near).predicted_seconds;
  auto const far = report_of(runtime, 3000, Part::far).predicted_seconds;
  CHECK(near > 0);
  CHECK(far > 0);
  CHECK(near + far == doctest::Approx(whole));
  Ewald const plan(runtime, {.tolerance = 1e-4, .count = 3000});
  CHECK(plan.parameters().near_seconds == doctest::Approx(2 * near));
  CHECK(plan.parameters().far_seconds == doctest::Approx(2 * far));
}

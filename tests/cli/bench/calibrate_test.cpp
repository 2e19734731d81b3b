// SPDX-License-Identifier: BSD-3-Clause
// Schedulers that ask for measured times: what is missing is told, and 'bench calibrate' measures it.
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

TEST_CASE("program: uncalibrated models are told, and calibrated") {
  TempFolder const folder;
  auto const sources = folder / "in.csv", report = folder / "report.json";
  auto const home = folder / "home";
  for (auto const* name : {"STARPU_HOME", "XDG_CACHE_HOME"}) setenv(name, home.c_str(), 1);
  setenv("STARPU_HISTORY_MAX_ERROR", "1000000000", 1);  // a busy machine must not make StarPU forget
  REQUIRE(run_nearfar({"generate", "--count", "1500", "--kernel", "laplace", "--output", sources}).code == 0);
  auto const missing = [&](std::string const& scheduler) {
    auto const outcome = run_nearfar({"ewald", "--kernel", "laplace", "--sources", sources, "--output",
                                      folder / "out.csv", "--report", report, "--scheduler", scheduler});
    REQUIRE(outcome.code == 0);
    auto const json = nlohmann::json::parse(text_of(report));
    CHECK(json.contains("uncalibrated") == contains(outcome.err, "nearfar bench calibrate"));
    CHECK(json["bound_seconds"].get<double>() <= json["seconds"]["total"].get<double>());
    CHECK(json["predicted_seconds"].get<double>() > 0);
    return json.contains("uncalibrated") ? json["uncalibrated"].get<std::vector<std::string>>()
                                         : std::vector<std::string>();
  };
  CHECK(missing("lws").empty());
  auto const before = missing("dmdas");
  CHECK(std::count(before.begin(), before.end(), "p2p") == 1);

  auto const outcome = run_nearfar({"bench", "calibrate", "--kernel", "laplace", "--count", "6000", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  auto const calibrated = nlohmann::json::parse(outcome.out);
  auto const& checks = calibrated["checks"];
  // Potentials, gradients and Hessians: two sizes, and Ewald sums along fewer directions.
  constexpr std::array outputs{"potential", "potential, gradient", "potential, gradient, hessian"};
  REQUIRE(checks.size() == 3 * 5 + 3 * 2);
  double largest = 0;
  int far_above = 0;
  [[maybe_unused]] int far_below = 0;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    auto const& check = checks[i];
    bool const ewald = i < 15;
    CHECK(check["method"] == (ewald ? "ewald" : "fmm"));
    CHECK(check["kernel"] == "laplace");
    CHECK(check["outputs"] == outputs[ewald ? i / 5 : (i - 15) / 2]);
    CHECK(check["count"] == (ewald ? (i % 5 == 0 ? 600 : 3000) : (i % 2 == 1 ? 600 : 3000)));
    if (ewald) {
      constexpr std::array periodicity{"xyz", "xyz", "xy", "x", "none"};
      CHECK(check["periodicity"] == periodicity[i % 5]);
    }
    double const seconds = check["seconds"], predicted = check["predicted_seconds"];
    double const work = check["work_seconds"];
    CHECK(check["expected_work_seconds"].get<double>() > 0);
    largest = std::max(largest, std::max(predicted / seconds, seconds / predicted) - 1);
    far_above += predicted > 3 * seconds;
    far_below += predicted < work / 20;
  }
  // Far from what is promised, and of most alone: a busy machine may stop any task for longer than all of them need.
  CHECK(2 * far_above < static_cast<int>(checks.size()));
#ifndef __SANITIZE_ADDRESS__  // which makes tasks take many times as long as any plan expects
  CHECK(2 * far_below < static_cast<int>(checks.size()));
#endif
  CHECK(calibrated["largest_deviation"].get<double>() == doctest::Approx(largest));
  CHECK(std::filesystem::exists(home));
  // 1500 particles were not among the sizes: their times are read off between those that were.
  auto const after = missing("dmdas");
  for (auto const* stage : {"p2p", "g2p", "bin", "merge"}) {
    CAPTURE(stage);
    CHECK(std::count(after.begin(), after.end(), stage) == 0);
  }
  unsetenv("STARPU_HISTORY_MAX_ERROR");
}

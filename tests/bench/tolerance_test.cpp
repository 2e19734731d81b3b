// SPDX-License-Identifier: BSD-3-Clause
// 'nearfar-bench tolerance': steps under tolerances of the whole sum and of its parts, whose errors keep them.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

TEST_CASE("nearfar-bench tolerance: CPU time and errors of both kinds of tolerance, for each system") {
  auto const outcome = run_nearfar(
      {"tolerance", "--count", "3000", "--steps", "3", "--tolerance", "1e-4", "--cpus", "1", "--gpus", "0"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out);
  std::vector<std::string> systems;
  for (std::string line; std::getline(lines, line);) {
    auto const json = nlohmann::json::parse(line);
    systems.push_back(json["system"]);
    CAPTURE(systems.back());
    double const parts = json["parts_cpu_seconds"], whole = json["whole_cpu_seconds"];
    CHECK(whole > 0);
    CHECK(json["ratio"].get<double>() == doctest::Approx(parts / whole));
    CHECK(json["predicted_ratio"].get<double>() > 0.9);
    double const error = json["parts_error"];
    CHECK(error > 0);
    CHECK(error < 1e-4);
    CHECK(json["whole_error"].get<double>() >= error);
    CHECK(json["whole_error"].get<double>() < 1e-4);
  }
  CHECK(systems == std::vector<std::string>{"liquid", "crystal", "suspension"});
}

TEST_CASE("nearfar-bench tolerance: a system that is not known") {
  auto const outcome = run_nearfar({"tolerance", "gas"});
  CHECK(outcome.code == 2);
  CHECK(outcome.err.find("take liquid, crystal or suspension") != std::string::npos);
}

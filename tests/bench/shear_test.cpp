// SPDX-License-Identifier: BSD-3-Clause
// 'nearfar-bench shear': a step in a sheared cell beside one in a cube.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

TEST_CASE("nearfar-bench shear: CPU time of a step in a sheared cell and in a cube") {
  std::string const kernel = "laplace";  // not the kernel of particles that nobody names
  auto const outcome = run_nearfar({"shear", "--kernel", kernel, "--count", "2000", "--steps", "3", "--tolerance",
                                    "1e-4", "--cpus", "1", "--gpus", "0"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  auto const json = nlohmann::json::parse(outcome.out);
  CHECK(json["kernel"] == kernel);
  CHECK(json["steps"] == 3);
  double const cube = json["cube_cpu_seconds"], sheared = json["sheared_cpu_seconds"];
  CHECK(cube > 0);
  CHECK(json["ratio_of_sums"] > 0);
  CHECK(json["ratio"].get<double>() == doctest::Approx(sheared / cube));
}

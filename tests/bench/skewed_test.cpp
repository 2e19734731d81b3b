// SPDX-License-Identifier: BSD-3-Clause
// 'nearfar-bench skewed': solves in skewed cells beside those in a cube.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

TEST_CASE("nearfar-bench skewed: CPU time of solves in a cube and in cells with angles of 60 degrees") {
  auto const outcome = run_nearfar({"skewed", "--kernel", "laplace", "--count", "2000", "--repeat", "3", "--tolerance",
                                    "1e-4", "--cpus", "1", "--gpus", "0"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  auto const json = nlohmann::json::parse(outcome.out);
  CHECK(json["angle"] == 60);
  CHECK(json["cube"]["ratio"] == 1);
  for (char const* cell : {"one_angle", "three_angles"}) {
    CAPTURE(cell);
    double const ratio = json[cell]["cpu_seconds"].get<double>() / json["cube"]["cpu_seconds"].get<double>();
    CHECK(json[cell]["ratio"].get<double>() == doctest::Approx(ratio));
    CHECK(json[cell]["first_ratio"] > 0);
  }
  auto const refused = run_nearfar({"skewed", "--angle", "120"});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("Give one from 35 to 115") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// 'nearfar-bench steps': what a step takes, and forces that keep the tolerance.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

TEST_CASE("nearfar-bench steps: times of a step and its parts, and the error of its forces") {
  for (std::string const method : {"ewald", "fmm", "fmm of masses"}) {
    CAPTURE(method);
    bool const masses = method == "fmm of masses";
    std::vector<std::string> words = {"steps",       masses ? "fmm" : method,
                                      "--count",     "2000",
                                      "--steps",     "2",
                                      "--tolerance", "1e-4",
                                      "--sample",    "50",
                                      "--cpus",      "1",
                                      "--gpus",      "0"};
    if (masses) words.push_back("--masses");
    auto const outcome = run_nearfar(words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    auto const json = nlohmann::json::parse(outcome.out);
    CHECK(json["method"] == words[1]);
    CHECK(json["masses"] == masses);
    CHECK(json["arrays"] == "host");
    CHECK(json["count"] == 2000);
    CHECK(json["step_seconds"] > json["move_seconds"]);
    CHECK(json["first_solve_seconds"] > 0);
    CHECK(json["predicted_seconds"] > 0);
    CHECK(json["force_error"] > 0);
    CHECK(json["force_error"] < 1e-4);
  }
  auto const refused = run_nearfar({"steps", "pme"});
  CHECK(refused.code == 2);
  CHECK_MESSAGE(refused.err.find("pme") != std::string::npos, refused.err);
}

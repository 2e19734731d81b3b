// SPDX-License-Identifier: BSD-3-Clause
// 'nearfar-bench plans': how the chosen plan is judged, with plans whose times are known, and the program itself.
#include "bench/plans/plan_race.hpp"
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace {

using namespace nearfar::cli;

/// A plan that takes so long, and how often it was solved. Every third solve takes half as long again, as where
/// something else runs now and then.
MakeEntrant plan(std::string const& name, double seconds, int& solves) {
  return [=, &solves] {
    return std::optional(Entrant{name, [=, &solves] {
                                   double const now = seconds * (++solves % 3 == 0 ? 1.5 : 1);
                                   return Timing{now, 2 * now};
                                 }});
  };
}

}  // namespace

TEST_CASE("race: the chosen plan by the best") {
  int solves[4] = {};
  auto const result = race(plan("chosen", 1.2, solves[0]),
                           {plan("slow", 2, solves[1]), plan("best", 1, solves[2]), plan("near", 1.1, solves[3])}, {});
  CHECK(result.chosen == "chosen");
  CHECK(result.best == "best");
  CHECK(result.ratio == doctest::Approx(1.2));
  CHECK(result.cpu_ratio == doctest::Approx(1.2));
  CHECK(result.others == 3);
  CHECK(result.dropped == 1);
  CHECK(solves[1] == 2);  // stopped at once
  CHECK(solves[3] == 6);  // left the final after three rounds
  CHECK(result.best_time.seconds == doctest::Approx(1));
  CHECK(result.best_time.cpu_seconds == doctest::Approx(2));
}

TEST_CASE("race: what takes over twice as long is solved once") {
  int solves[2] = {};
  auto const result = race(plan("chosen", 0.01, solves[0]), {plan("slow", 0.021, solves[1])}, {});
  CHECK(result.dropped == 1);
  CHECK(solves[1] == 1);
}

TEST_CASE("race: nothing is faster than the chosen plan") {
  int solves[3] = {};
  auto const result = race(plan("chosen", 1, solves[0]), {plan("a", 1.05, solves[1]), plan("b", 1.3, solves[2])}, {});
  CHECK(result.best == "chosen");
  CHECK(result.ratio == 1);
  CHECK(result.others == 2);
}

TEST_CASE("race: plans that are the same, or do not reach the tolerance, are no others") {
  int solves[3] = {};
  MakeEntrant const none = [] { return std::optional<Entrant>(); };
  auto const result =
      race(plan("chosen", 1, solves[0]),
           {plan("chosen", 0.5, solves[1]), none, plan("a", 1.3, solves[2]), plan("a", 0.1, solves[2])}, {.most = 8});
  CHECK(result.others == 1);
  CHECK(result.ratio == 1);
  CHECK(result.chosen_time.seconds == 1);
  CHECK(solves[1] == 0);
}

TEST_CASE("race: at most so many others") {
  int solves[3] = {};
  auto const result =
      race(plan("chosen", 1, solves[0]), {plan("a", 1.1, solves[1]), plan("b", 0.1, solves[2])}, {.most = 1});
  CHECK(result.others == 1);
  CHECK(solves[2] == 0);
}

TEST_CASE("nearfar-bench plans: a line for each request, others around the plan that is chosen") {
  auto const outcome = run_nearfar({"plans", "--quick", "--others", "6", "--rounds", "2", "--cpus", "1"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out);
  for (auto const* method : {"ewald", "fmm"}) {
    std::string line;
    REQUIRE(std::getline(lines, line));
    auto const json = nlohmann::json::parse(line);
    CHECK(json["bench"] == "plans");
    CHECK(json["method"] == method);
    CHECK(json["count"] == 3000);
    CHECK(json["tolerance"] == 1e-3);
    CHECK(json["others"] == 6);
    CHECK(json["ratio"].get<double>() >= 1);
    for (auto const* which : {"chosen", "best"}) {
      CHECK(json[which]["seconds"].get<double>() > 0);
      CHECK(json["chosen"]["predicted_cpu_seconds"].get<double>() > 0);
      CHECK(json[which].contains(method == std::string("ewald") ? "cutoff" : "order"));
    }
  }
  std::string line;
  REQUIRE(std::getline(lines, line));
  auto const summary = nlohmann::json::parse(line);
  CHECK(summary["cases"] == 2);
  CHECK(summary["within_10_percent"] <= summary["within_20_percent"]);
  CHECK(summary["predicted_within_30_percent"] <= 2);
  REQUIRE_FALSE(std::getline(lines, line));
}

TEST_CASE("nearfar-bench plans: one request, one method") {
  auto const outcome = run_nearfar({"plans", "fmm", "--kernel", "stresslet", "--count", "1500", "--tolerance", "1e-2",
                                    "--others", "2", "--rounds", "1", "--cpus", "1", "--cpu-time"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  auto const json = nlohmann::json::parse(outcome.out);
  CHECK(json["kernel"] == "stresslet");
  CHECK(json["method"] == "fmm");
  CHECK(json["judged_by"] == "cpu");
  for (auto const& words : {std::vector<std::string>{"plans", "pme"}, {"peak"}}) {
    auto const refused = run_nearfar(words);
    CHECK(refused.code == 2);
    CHECK_MESSAGE(refused.err.find(words.back()) != std::string::npos, refused.err);
  }
}

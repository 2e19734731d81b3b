// SPDX-License-Identifier: BSD-3-Clause
// 'nearfar-bench fit': constants from times that are known, and their place in the sources.
#include "bench/fit/fit.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

using namespace nearfar;
using namespace nearfar::bench;

namespace {

/// Seconds that two constants give, on a core `speed` times as fast.
std::vector<Observation> times(double first, double second, double speed) {
  std::vector<Observation> all;
  for (double x : {1e3, 3e3, 1e4})
    for (double y : {2e6, 5e5, 8e6}) all.push_back({(first * x + second * y) / speed, {x, y}});
  return all;
}

}  // namespace

TEST_CASE("fit: finds the constants that times were made of, whatever the speed of the machine") {
  for (double speed : {1.0, 7.0}) {
    auto const found = fit(times(3e-6, 2e-9, speed), {1e-6, 1e-9});
    CHECK(found[0] / found[1] == doctest::Approx(1500).epsilon(1e-6));
    CHECK(misfit(times(3e-6, 2e-9, speed), found) < 1e-6);
  }
  // Right ones stay.
  auto const same = fit(times(3e-6, 2e-9, 5), {3e-6, 2e-9});
  CHECK(same[0] == doctest::Approx(3e-6).epsilon(1e-9));
  CHECK(same[1] == doctest::Approx(2e-9).epsilon(1e-9));
}

TEST_CASE("fit: no constant is negative, and one that nothing depends on stays") {
  auto observations = times(3e-6, 0, 1);
  for (auto& o : observations) o.seconds *= 1 - 1e-9 * o.factors[1];  // as if the second one were below 0
  auto const found = fit(observations, {1e-6, 1e-9});
  CHECK(found[0] > 0);
  CHECK(found[1] == 0);
  for (auto& o : observations) o.factors[1] = 0;
  CHECK(fit(observations, {1e-6, 4e-9})[1] == 4e-9);
}

TEST_CASE("refitted: each row from its own observations") {
  std::vector<std::vector<Observation>> rows(row_names.size());
  rows[std::size_t(WorkRow::m2l)] = times(6e-9, 1e-11, 1);
  WorkConstants const found = refitted(rows, work_constants);
  CHECK(found.per_interaction / found.per_m2l_flop == doctest::Approx(600).epsilon(1e-6));
  CHECK(found.per_source == work_constants.per_source);
}

TEST_CASE("constants: the file holds all that are fitted, and is written back as it is") {
  std::string const text = text_of(NEARFAR_CONSTANTS);
  CHECK(rewritten(text, work_constants) == text);
  WorkConstants other = work_constants;
  other.per_degree = 1.234e-11;
  CHECK(rewritten(text, other).find("double per_degree = 1.23e-11;") != std::string::npos);
  // Comments stay below each other: the longest line of its group is one longer now.
  other.per_column_mode_of_table = 3.84e-9;
  std::string const longer = rewritten(text, other);
  auto const column = [&](std::string const& line) {
    auto const at = longer.find(line);
    REQUIRE(at != std::string::npos);
    return longer.find("///<", at) - longer.rfind('\n', at);
  };
  CHECK(longer.find("per_column_mode_of_table = 3.84e-9;  ///<") != std::string::npos);
  CHECK(column("double per_degree = 1.23e-11;") == column("double per_column_mode_of_table"));
  CHECK(column("double per_number") == column("double per_column_mode_of_table"));
  CHECK_THROWS_AS(rewritten("double per_number = 1;", work_constants), std::runtime_error);
}

TEST_CASE("fit of GPUs: the constants that whole solves were made of, beside what is known of them") {
  GpuConstants const right{.chain = 3e-4, .multipole_chain = 2e-5, .review = 1e-4, .byte = 9e-11, .pinned_byte = 0};
  std::vector<Observation> all;
  for (double known : {1e-4, 9e-4, 4e-3})
    for (bool captured : {true, false})
      for (bool reviewed : {true, false})
        for (double bytes : {0.0, 3e6}) {
          std::vector<double> const factors{captured && reviewed ? 1.0 : 0.0, reviewed ? 1.0 : 0.0,
                                            captured && !reviewed ? 1.0 : 0.0, bytes, 2e6};
          double seconds = known;
          for (std::size_t i = 0; i < factors.size(); ++i)
            seconds += factors[i] * right.*fitted_gpu_constants[i].member;
          all.push_back({seconds, factors, known});
        }
  GpuConstants const found = refitted(all, gpu_constants);
  for (auto const& c : fitted_gpu_constants)
    CHECK(found.*c.member == doctest::Approx(right.*c.member).epsilon(1e-6).scale(1e-12));
  CHECK(found.multipole_review == gpu_constants.multipole_review);
  std::string const text = text_of(NEARFAR_CONSTANTS);
  CHECK(rewritten(text, gpu_constants) == text);
  CHECK(rewritten(text, found).find("double multipole_chain = 2e-5;") != std::string::npos);
}

TEST_CASE("nearfar-bench fit: writes what it has measured") {
  TempFolder const folder;
  auto const file = folder / "constants.hpp";
  std::ofstream(file) << text_of(NEARFAR_CONSTANTS);
  auto const outcome = run_nearfar({"fit", "--count", "1000", "--cpus", "1", "--write", file});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  for (FittedConstant const& c : fitted_constants) CHECK_MESSAGE(outcome.out.find(c.name) != std::string::npos, c.name);
  CHECK(text_of(file) != text_of(NEARFAR_CONSTANTS));
  CHECK(text_of(file).find("double per_flop = 6.9e-12;") != std::string::npos);
  CHECK(run_nearfar({"fit", "--write", folder / "nowhere.hpp"}).code == 2);
}

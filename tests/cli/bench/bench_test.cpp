// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/stages/pair_count.hpp"
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

/// The line that a measurement prints, and that it is one.
nlohmann::json line_of(std::vector<std::string> words) {
  words.insert(words.begin(), "bench");
  words.insert(words.end(), {"--repeat", "3", "--json"});
  auto const outcome = run_nearfar(words);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  REQUIRE(std::ranges::count(outcome.out, '\n') == 1);
  auto json = nlohmann::json::parse(outcome.out);
  for (auto const* condition : {"version", "compiler", "build", "processor", "cores", "simd", "precision", "repeat"})
    CHECK_MESSAGE(json.contains(condition), condition);
  CHECK(json["bench"] == words[1]);
  return json;
}

/// Of a stage: one worker, and times in order.
nlohmann::json stage(std::vector<std::string> const& words) {
  auto json = line_of(words);
  CHECK(json["workers"] == 1);
  CHECK(json["seconds"]["minimum"] > 0);
  CHECK(json["seconds"]["minimum"] <= json["seconds"]["median"]);
  CHECK(json["seconds"]["median"] <= json["seconds"]["maximum"]);
  return json;
}

double number(nlohmann::json const& json, char const* key) { return json.at(key).get<double>(); }

/// An edge of 4 in steps of 1.
std::vector<double> lattice() {
  std::vector<double> points;
  for (int i = 0; i < 64; ++i)
    for (int const x : {i / 16, i / 4 % 4, i % 4}) points.push_back(x + 0.5);
  return points;
}

}  // namespace

TEST_CASE("pairs: counted on a lattice") {
  auto const points = lattice();
  using nearfar::cli::pairs_within;
  CHECK(pairs_within(points, {4, 4, 4}, 3, 1.1) == 6 * 64);
  CHECK(pairs_within(points, {4, 4, 4}, 3, 1.5) == 18 * 64);
  CHECK(pairs_within(points, {4, 4, 4}, 0, 1.1) == 3 * 2 * 3 * 16);
  CHECK(pairs_within(points, {4, 4, 4}, 1, 1.1) == (2 * 4 + 2 * 2 * 3) * 16);
  CHECK(pairs_within({0.5, 0.5, 0.5}, {1, 1, 1}, 3, 1) == 0);  // images of itself, at the cutoff, are not below it
  CHECK(pairs_within({0.5, 0.5, 0.5}, {1, 1.5, 1.5}, 3, 1.2) == 2);
  CHECK(pairs_within({0.1, 0.5, 0.5, 0.9, 0.5, 0.5}, {1, 9, 9}, 3, 0.9) == 4);  // there, and over the edge
}

TEST_CASE("bench: a Poisson solve beside FFTW alone, on the padded grid") {
  for (auto const* precision : {"double", "single"}) {
    auto const line = line_of({"poisson", "--grid", "16,18,20", "--precision", precision, "--cpus", "2"});
    CHECK(line["grid"] == nlohmann::json({16, 18, 20}));
    CHECK(line["transform"] == nlohmann::json({32, 36, 40}));
    for (auto const* figure : {"seconds", "bare_seconds", "ratio", "cpu_seconds", "bare_cpu_seconds", "cpu_ratio"})
      CHECK_MESSAGE(number(line, figure) > 0, figure);
    CHECK(line["stages"].contains("scale"));
  }
  auto const table = run_nearfar({"bench", "poisson", "--grid", "8,8,8", "--repeat", "1"});
  CHECK(table.code == 0);
  CHECK(std::ranges::count(table.out, '\n') == 3);
}

TEST_CASE("bench: a line per stage of Ewald's method") {
  auto const p2p = stage({"p2p", "--kernel", "laplace", "--count", "4000", "--neighbours", "100"});
  CHECK(number(p2p, "neighbours") == doctest::Approx(100).epsilon(0.03));
  CHECK(number(p2p, "pairs") == doctest::Approx(4000 * number(p2p, "neighbours")));
  CHECK(number(p2p, "gflops") ==
        doctest::Approx(number(p2p, "flops_per_pair") * 1e-9 * number(p2p, "pairs_per_second")));
  CHECK(number(p2p, "peak_share") > 0);
  CHECK(number(p2p, "peak_share") < 1);
  CHECK(p2p["part"] == "near");

  auto const whole = line_of({"ewald", "--count", "500"});
  for (char const* given :
       {"cutoff", "split_parameter", "window_points", "grid", "cells", "blocks", "slabs", "columns"})
    CHECK_MESSAGE(whole["parameters"].contains(given), given);  // which docs/update_scaling records graphs by
  auto const p2g = stage({"p2g", "--kernel", "stokes", "--count", "2000", "--window-points", "12"});
  CHECK(p2g["components"] == 4);
  CHECK(p2g["window_points"] == 12);
  CHECK(number(p2g, "points_per_second") == doctest::Approx(4 * 2000 / p2g["seconds"]["median"].get<double>()));
  CHECK(stage({"g2p", "--kernel", "stokes", "--count", "2000"})["components"] == 3);

  auto const fft = stage({"fft", "--kernel", "laplace", "--count", "100", "--grid", "32,32,32"});
  CHECK(fft["grid_points"] == 32768);
  CHECK(number(fft, "gflops") * fft["seconds"]["median"].get<double>() == doctest::Approx(2 * 2.5 * 32768 * 15e-9));
}

TEST_CASE("bench: a line per stage of the multipole method") {
  auto const m2l = stage({"m2l", "--order", "1", "--depth", "2", "--count", "3000", "--precision", "single"});
  CHECK(m2l["precision"] == "single");
  CHECK(m2l["order"] == 1);
  // All 64 boxes of level 2 but those that touch: 64 * 63 ordered pairs less 3 * 2 * 48 faces, 3 * 4 * 36 edges, 8 * 27
  // corners.
  CHECK(m2l["parameters"]["translations"] == 64 * 63 - 288 - 432 - 216);
  CHECK(number(m2l, "translations_per_second") * m2l["seconds"]["median"].get<double>() == doctest::Approx(3096));
  auto const p2p = stage({"fmm-p2p", "--depth", "0", "--count", "500", "--gradient"});
  CHECK(p2p["parameters"]["pairs"] == 500 * 500);
  CHECK(p2p["flops_per_pair"] == 26);
}

TEST_CASE("bench: schedulers side by side, all under one plan") {
  std::vector<std::string> words{"bench",      "schedulers", "--count",  "2000", "--rounds", "2",
                                 "--profiles", "lws,eager",  "--repeat", "1",    "--cpus",   "1"};
  auto const table = run_nearfar(words);
  REQUIRE(table.code == 0);
  CHECK(contains(table.out, "fmm, 2000 particles, 2 rounds of 1 solves"));
  CHECK(contains(table.out, "beside lws"));
  words.push_back("--json");
  auto const outcome = run_nearfar(words);
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out);
  for (auto const* benchmark : {"ewald", "overlap", "fmm"})
    for (auto const* profile : {"lws", "eager"}) {
      std::string line;
      REQUIRE(std::getline(lines, line));
      auto const json = nlohmann::json::parse(line);
      CHECK(json["bench"] == "schedulers");
      CHECK(json["benchmark"] == benchmark);
      CHECK(json["scheduler"] == profile);
      CHECK(json["count"] == (benchmark == std::string("overlap") ? 6250 : 2000));
      CHECK(json["rounds"] == 2);
      CHECK(number(json["seconds"], "minimum") > 0);
      CHECK(number(json["seconds"], "minimum") <= number(json["seconds"], "median"));
      auto const& beside = json["beside"];
      CHECK(beside["profile"] == "lws");
      CHECK(number(beside, "lower_quartile") <= number(beside, "median"));
      CHECK(number(beside, "median") <= number(beside, "upper_quartile"));
      if (profile == std::string("lws")) CHECK(beside["median"] == 1);
    }
}

TEST_CASE("bench: points that move, by both methods") {
  for (auto const* method : {"ewald", "fmm"})
    for (auto const* systems : {"1", "2"}) {
      auto const outcome = run_nearfar({"bench", "steps", "--method", method, "--systems", systems, "--steps", "3",
                                        "--kernel", "laplace", "--count", "2000", "--tolerance", "1e-3", "--json"});
      CAPTURE(outcome.err);
      REQUIRE(outcome.code == 0);
      auto const json = nlohmann::json::parse(outcome.out);
      CHECK(json["bench"] == "steps");
      CHECK(json["method"] == method);
      CHECK(json["steps"] == 3);
      for (auto const* figure : {"set_seconds", "move_seconds", "move_mean_seconds", "solve_seconds", "set_share",
                                 "move_share", "set_cpu_seconds", "move_cpu_seconds"})
        CHECK_MESSAGE(number(json, figure) > 0, figure);
      CHECK(number(json, "set_share") == doctest::Approx(number(json, "set_seconds") / number(json, "solve_seconds")));
      CHECK(number(json, "sorted_beside") >= 0);
      CHECK(number(json, "sorted_beside") <= (systems == std::string("1") ? 0 : 1));
    }
  auto const table = run_nearfar({"bench", "steps", "--count", "500", "--steps", "1", "--tolerance", "1e-2"});
  CHECK(table.code == 0);
  CHECK(contains(table.out, "move_points"));
}

TEST_CASE("bench: every kernel with more and more outputs, and with the virial") {
  auto const outcome = run_nearfar(
      {"bench", "operators", "--kernel", "dipole", "--count", "300", "--tolerance", "1e-3", "--repeat", "1", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out);
  std::vector<std::string> outputs, beside;
  for (std::string line; std::getline(lines, line);) {
    auto const json = nlohmann::json::parse(line);
    CHECK(json["bench"] == "operators");
    CHECK(json["kernel"] == "dipole");
    CHECK(number(json, "cpu_seconds") > 0);
    CHECK(number(json, "seconds") > 0);
    CHECK(number(json, "ratio") > 0);
    outputs.push_back(json["outputs"]);
    beside.push_back(json["beside"]);
  }
  CHECK(beside ==
        std::vector<std::string>{"laplace potential", "potential", "potential", "potential,gradient,hessian"});
  CHECK(outputs == std::vector<std::string>{"potential", "potential,gradient", "potential,gradient,hessian",
                                            "potential,gradient,hessian,virial"});
}

TEST_CASE("bench: what cannot be measured") {
  auto const refuses = [](std::vector<std::string> words, char const* why) {
    words.insert(words.begin(), "bench");
    auto const outcome = run_nearfar(words);
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.err.find(why) != std::string::npos, outcome.err);
  };
  refuses({"p2p", "--neighbours", "50", "--cutoff", "0.1"}, "leave one of them out");
  refuses({"p2g", "--neighbours", "50"}, "bench p2p");
  refuses({"fft", "--vectors", "2"}, "bench ewald");
  refuses({"ewald", "--vectors", "0"}, "--vectors");
  refuses({"fft", "--periodic", "none"}, "xyz only");
  refuses({"g2p", "--kernel", "rotlet", "--count", "100"}, "numbers it has on the grid");
  refuses({"p2p", "--variant", "all", "--gpus", "1", "--kernel", "laplace", "--gradient"}, "nothing to compare");
  refuses({"m2l", "--depth", "1", "--count", "100"}, "nothing to translate");
  refuses({"schedulers", "--scheduler", "lws"}, "--profiles");
  refuses({"steps", "--method", "direct"}, "take ewald or fmm");
  refuses({"steps", "--step", "0.7"}, "at most 0.5");
  refuses({"schedulers", "--profiles", "nonsense", "--count", "100"}, "nonsense");
}

TEST_CASE("bench: options that a measurement would ignore") {
  auto const refuses = [](std::vector<std::string> words, char const* option, char const* readers) {
    words.insert(words.begin(), "bench");
    auto const outcome = run_nearfar(words);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, std::string(option) + " means nothing to 'bench " + words[1]));
    CHECK(contains(outcome.err, readers));
  };
  refuses({"ewald", "--softening", "0.1"}, "--softening",
          "it is for bench fmm, fmm-p2p, m2l, schedulers, steps --method fmm;");
  refuses({"ewald", "--order", "4"}, "--order", "fmm");
  refuses({"fmm", "--cutoff", "0.1"}, "--cutoff", "it is for bench ewald, p2p,");
  refuses({"fmm", "--part", "near"}, "--part", "it is for bench ewald;");
  refuses({"p2g", "--part", "near"}, "--part", "bench ewald;");
  refuses({"steps", "--method", "fmm", "--grid", "16,16,16"}, "--grid", "steps --method ewald");
  refuses({"steps", "--repeat", "3"}, "--repeat", "ewald");
  refuses({"ewald", "--method", "fmm"}, "--method", "steps");
  refuses({"ewald", "--variant", "all"}, "--variant", "p2p --variant, p2g --variant, g2p --variant;");
  refuses({"p2p", "--variant", "all", "--tolerance", "1e-3"}, "--tolerance", "ewald");
  refuses({"p2p", "--check"}, "--check", "p2p --variant");
  refuses({"poisson", "--count", "100"}, "--count", "ewald");
  refuses({"peak", "--trace", "none.d"}, "--trace", "ewald");
  refuses({"operators", "--outputs", "potential"}, "--outputs", "ewald");
  refuses({"schedulers", "--use-float"}, "--use-float", "ewald");
}

TEST_CASE("bench: the peak of a core, and what solves take of memory") {
  auto const peak = line_of({"peak"});
  CHECK(peak["peak_gflops"]["minimum"] > 0);
  CHECK(peak["peak_gflops"]["minimum"] <= peak["peak_gflops"]["maximum"]);
  for (auto const* method : {"ewald", "fmm"}) {
    auto const json = line_of({method, "--kernel", "stokeslet", "--count", "20000", "--tolerance", "1e-3"});
    CHECK(json["caller_bytes"] == 20000 * 9 * 8);
    CHECK(json["peak_bytes"] > 20000 * 9 * 8);  // binned positions, strengths and results
    CHECK(json["peak_bytes_per_particle"].get<double>() == json["peak_bytes"].get<double>() / 20000);
  }
}

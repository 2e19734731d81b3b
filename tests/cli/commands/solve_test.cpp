// SPDX-License-Identifier: BSD-3-Clause
// Sums whose value is known, from file to file.
#include "cli/io/particles/columns.hpp"
#include "cli/table.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/oracle/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace nearfar::cli;

namespace {

using Words = std::vector<std::string>;

void succeed(Words const& arguments) {
  auto const outcome = run_nearfar(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
}

/// The largest error of a crystal's Madelung constant over its ions, relative to that constant.
double madelung_error(std::string const& crystal, std::string const& count, double distance, double constant,
                      std::string const& extension, nlohmann::json& report) {
  TempFolder const folder;
  auto const in = folder / "in" + extension, out = folder / "out" + extension;
  succeed({"generate", "--distribution", crystal, "--count", count, "--output", in});
  succeed({"ewald", "--kernel", "laplace", "--tolerance", "1e-11", "--sources", in, "--output", out, "--report",
           folder / "report.json", "--quiet"});
  report = nlohmann::json::parse(text_of(folder / "report.json"));
  auto const charges = read_table(in, {"q"}, "").values, potentials = read_table(out, {"phi"}, "").values;
  REQUIRE(charges.size() == potentials.size());
  double error = 0;
  for (std::size_t i = 0; i < charges.size(); ++i)
    error = std::max(error, std::abs(-charges[i] * potentials[i] * distance - constant));
  return error / constant;
}

/// The velocity of a point force (1,1,1) at itself, by all its images: the diagonal of a tensor without other entries.
std::array<double, 3> self_velocity(std::string const& box, std::string const& extension, bool with_targets) {
  TempFolder const folder;
  auto const in = folder / "in" + extension, out = folder / "out" + extension;
  write_table(in, {{"fz", "x", "y", "z", "fx", "fy"}, {1, 0.3, 0.7, 0.2, 1, 1}});
  Words arguments{"ewald", "--kernel",  "stokeslet", "--box",    box, "--tolerance",
                  "1e-11", "--sources", in,          "--output", out};
  if (with_targets) arguments.insert(arguments.end(), {"--targets", in});
  succeed(arguments);
  auto const u = read_table(out, {"ux", "uy", "uz"}, "").values;
  REQUIRE(u.size() == 3);
  return {u[0], u[1], u[2]};
}

std::vector<double> direct(std::string const& kernel, Table const& sources, Words const& columns,
                           Words const& more = {}) {
  TempFolder const folder;
  write_table(folder / "in.csv", sources);
  write_table(folder / "at.csv", {{"x", "y", "z"}, {1, 2, 2}});
  Words arguments{"direct",    "--kernel",        kernel,     "--sources",       folder / "in.csv",
                  "--targets", folder / "at.csv", "--output", folder / "out.csv"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  succeed(arguments);
  return read_table(folder / "out.csv", columns, "").values;
}

void check_equal(std::vector<double> const& values, std::vector<double> const& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == doctest::Approx(expected[i]).epsilon(1e-15));
}

}  // namespace

TEST_CASE("ewald: Madelung constant of rock salt, 32^3 ions") {
  for (auto const* extension : {".csv", ".h5"}) {
    nlohmann::json report;
    constexpr double constant = 1.747564594633182, distance = 1.0 / 32;
    CHECK(madelung_error("nacl", "32768", distance, constant, extension, report) < 1e-11);  // the tolerance
    CHECK(report["energy"].get<double>() == doctest::Approx(-0.5 * 32768 * constant / distance).epsilon(1e-10));
  }
}

TEST_CASE("ewald: Madelung constant of caesium chloride") {
  nlohmann::json report;
  CHECK(madelung_error("cscl", "8192", std::sqrt(3.0) / 32, 1.76267477307099, ".csv", report) < 1e-11);
}

TEST_CASE("ewald: a point force drags itself through its images") {
  struct Case {
    char const* box;
    std::array<double, 3> expected;
  };
  for (auto const& [box, expected] : {Case{"1,1,1", {-3.78306330597416, -3.78306330597416, -3.78306330597416}},
                                      Case{"1,1,2", {-1.6617414213616, -1.6617414213616, -3.8998843990860}},
                                      Case{"1,1.2,0.9", {-3.5185688029004, -4.0740378762890, -3.2241194984535}}})
    for (auto const* extension : {".csv", ".h5"})
      for (bool const with_targets : {false, true}) {
        auto const u = self_velocity(box, extension, with_targets);
        CAPTURE(box);
        for (std::size_t d = 0; d < 3; ++d) CHECK(u[d] == doctest::Approx(expected[d]).epsilon(1e-10));
      }
}

TEST_CASE("ewald: stresslets, alone and with forces, with both zero modes") {
  using nearfar::Kernel;
  for (Kernel kernel : {Kernel::stresslet, Kernel::stokes}) {
    TempFolder const folder;
    Table table{position_columns(), {}};
    auto const columns = strength_columns(kernel);
    table.names.insert(table.names.end(), columns.begin(), columns.end());
    auto const strengths = nearfar::golden::strengths(kernel);
    auto const& points = nearfar::golden::points;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t d = 0; d < 3; ++d) table.values.push_back(points[3 * i + d]);
      for (std::size_t m = 0; m < columns.size(); ++m) table.values.push_back(strengths[columns.size() * i + m]);
    }
    write_table(folder / "in.csv", table);
    auto const velocity = [&](Words const& more) {
      Words arguments{"ewald",
                      "--kernel",
                      kernel == Kernel::stokes ? "stokes" : "stresslet",
                      "--sources",
                      folder / "in.csv",
                      "--output",
                      folder / "out.csv",
                      "--report",
                      folder / "report.json",
                      "--tolerance",
                      "1e-11"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      succeed(arguments);
      return read_table(folder / "out.csv", {"ux", "uy", "uz"}, "").values;
    };
    auto const u = velocity({}), v = velocity({"--zero-mode", "zero-mean-flow"});
    CHECK(nlohmann::json::parse(text_of(folder / "report.json"))["zero_mode"] == "zero-mean-flow");
    auto const expected = nearfar::golden::periodic.rows(kernel);
    // What parts the two: -8 pi sum (x - y) q.n.
    auto const* q = &nearfar::golden::dipole[0];
    for (std::size_t i = 0; i < expected.size(); ++i) {
      double zero_mode = 0;
      for (std::size_t n = 0; n < 3; ++n)
        zero_mode -= 8 * std::acos(-1.0) * (points[i] - points[3 * n + i % 3]) *
                     (q[6 * n] * q[6 * n + 3] + q[6 * n + 1] * q[6 * n + 4] + q[6 * n + 2] * q[6 * n + 5]);
      CHECK(u[i] == doctest::Approx(expected[i]).epsilon(1e-9));
      CHECK(v[i] == doctest::Approx(expected[i] - zero_mode).epsilon(1e-9));
    }
  }
}

TEST_CASE("ewald: the gauge length, by the program") {
  TempFolder const folder;
  auto const in = folder.write("in.csv", "x,y,z,q,px,py,pz\n0.1,0.2,0.3,1,1,2,3\n0.6,0.5,0.4,2,2,1,3\n");
  auto const gauge = [&] { return nlohmann::json::parse(text_of(folder / "report.json"))["gauge_length"]; };
  for (char const* kernel : {"laplace", "charge-dipole"}) {
    CAPTURE(kernel);
    auto const potential = [&](Words const& more) {
      Words arguments{"ewald",
                      "--kernel",
                      kernel,
                      "--periodic",
                      "x",
                      "--box",
                      "4,0,0",
                      "--sources",
                      in,
                      "--output",
                      folder / "out.csv",
                      "--tolerance",
                      "1e-11",
                      "--report",
                      folder / "report.json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      succeed(arguments);
      return read_table(folder / "out.csv", {"phi"}, "").values;
    };
    auto const one = potential({});
    CHECK(gauge() == 1);
    auto const three = potential({"--gauge-length", "3"});
    CHECK(gauge() == 3);
    for (std::size_t i = 0; i < 2; ++i)  // 2 ln(3) / Lx times the sum of the charges
      CHECK(three[i] - one[i] == doctest::Approx(1.5 * std::log(3.0)).epsilon(1e-10));
  }
  CHECK(contains(run_nearfar({"ewald", "--help"}).out, "stokeslet, stokes, laplace or charge-dipole, one periodic"));
}

TEST_CASE("ewald and fmm: energy and virial in the report") {
  TempFolder const folder;
  // Two charges of the same sign push each other away: F = q q r / r^3.
  auto const in = folder.write("in.csv", "x,y,z,q,fx,fy,fz\n0.1,0.2,0.3,2,1,0,0\n0.4,0.6,0.3,3,0,1,0\n");
  for (auto const* solver : {"ewald", "fmm"}) {
    succeed({solver, "--kernel", "laplace", "--periodic", "none", "--virial", "--tolerance", "1e-10", "--sources", in,
             "--output", folder / "out.csv", "--report", folder / "report.json"});
    auto const report = nlohmann::json::parse(text_of(folder / "report.json"));
    CHECK(report["energy"].get<double>() == doctest::Approx(12).epsilon(1e-9));
    std::vector<double> const expected{12 * 0.36, 12 * 0.64, 0, 12 * 0.48, 0, 0};
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(report["virial"][i].get<double>() == doctest::Approx(expected[i]).epsilon(1e-9).scale(12));
    CHECK(read_table(folder / "out.csv", {"phi", "dphidx"}, "").values.size() == 4);  // with a gradient
  }
  for (Words const& other : {Words{"ewald", "--kernel", "stokeslet"}, Words{"fmm", "--kernel", "stokeslet"}}) {
    Words arguments = other;
    arguments.insert(arguments.end(), {"--virial", "--sources", in, "--output", folder / "none.csv"});
    auto const outcome = run_nearfar(arguments);
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, "virial is wanted"));
  }
}

TEST_CASE("ewald: a check tells the errors of energy and virial, too, where there are any") {
  TempFolder const folder;
  auto const charges = folder / "charges.csv", forces = folder / "forces.csv";
  succeed({"generate", "--kernel", "laplace", "--count", "200", "--output", charges});
  succeed({"generate", "--kernel", "stokeslet", "--count", "100", "--output", forces});
  auto const check = [&](Words const& more, bool has_energy, bool has_virial) {
    Words arguments{"ewald", "--check", "--output", folder / "out.csv", "--report", folder / "report.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto const outcome = run_nearfar(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    auto const report = nlohmann::json::parse(text_of(folder / "report.json"));
    auto const tells = [&](std::string const& error, std::string const& line, bool is_there) {
      CHECK(report.contains(error) == is_there);
      CHECK(contains(outcome.err, line) == is_there);
      if (is_there) CHECK(report[error].get<double>() < 1e-6);  // the tolerance
    };
    tells("relative_error", "check        relative error", true);
    tells("relative_error_energy", " of the energy", has_energy);
    tells("relative_error_virial", " of the virial's largest component", has_virial);
  };
  check({"--kernel", "laplace", "--sources", charges}, true, false);
  check({"--kernel", "laplace", "--virial", "--sources", charges}, true, true);
  check({"--kernel", "laplace", "--sources", charges, "--targets", charges}, false, false);
  check({"--kernel", "stokeslet", "--sources", forces}, false, false);
}

TEST_CASE("ewald: a gradient that is all error is said to be 0 or too weak, since which of them is not known") {
  TempFolder const folder;
  auto const in = folder / "in.csv";
  for (double displaced : {0.0, 1e-14}) {
    write_table(in,
                {{"x", "y", "z", "q"}, {displaced, 0,   0, 1, 0.5, 0, 0,   -1, 0, 0.5, 0,   -1, 0,   0,   0.5, -1,
                                        0.5,       0.5, 0, 1, 0.5, 0, 0.5, 1,  0, 0.5, 0.5, 1,  0.5, 0.5, 0.5, -1}});
    auto const outcome =
        run_nearfar({"ewald", "--kernel", "laplace", "--gradient", "--sources", in, "--output", folder / "out.csv"});
    CAPTURE(outcome.err);
    CHECK(outcome.code == 0);
    CHECK(outcome.err.find("an output is 0, or so weak that it may be error and nothing else") != std::string::npos);
  }
}

TEST_CASE("direct: sums by hand") {
  // One source at the origin, seen from (1, 2, 2) at the distance 3.
  check_equal(direct("laplace", {{"x", "y", "z", "q"}, {0, 0, 0, 6}}, {"phi"}), {2});
  check_equal(
      direct("laplace", {{"x", "y", "z", "q"}, {0, 0, 0, 6}}, {"phi", "dphidx", "dphidy", "dphidz"}, {"--gradient"}),
      {2, -6.0 / 27, -12.0 / 27, -12.0 / 27});
  // (f + r (r.f) / 9) / 3 with f = (9, 0, 9): r.f = 27.
  check_equal(direct("stokeslet", {{"x", "y", "z", "fx", "fy", "fz"}, {0, 0, 0, 9, 0, 9}}, {"ux", "uy", "uz"}),
              {4, 2, 5});
  // -6 r (r.q)(r.n) / 243 with r.q = 9, r.n = 2.
  Words const stresslet{"x", "y", "z", "qx", "qy", "qz", "nx", "ny", "nz"};
  std::vector<double> const expected{-108.0 / 243, -216.0 / 243, -216.0 / 243};
  check_equal(direct("stresslet", {stresslet, {0, 0, 0, 1, 2, 2, 0, 0, 1}}, {"ux", "uy", "uz"}), expected);
  auto stokes = stresslet;
  stokes.insert(stokes.end(), {"fx", "fy", "fz"});
  check_equal(direct("stokes", {stokes, {0, 0, 0, 1, 2, 2, 0, 0, 1, 9, 0, 9}}, {"ux", "uy", "uz"}),
              {4 + expected[0], 2 + expected[1], 5 + expected[2]});
  // The pair at distance zero is left out.
  check_equal(direct("laplace", {{"x", "y", "z", "q"}, {1, 2, 2, 5, 1, 2, 3, 7}}, {"phi"}), {7});
}

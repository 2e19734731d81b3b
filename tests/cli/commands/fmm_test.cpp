// SPDX-License-Identifier: BSD-3-Clause
// nearfar fmm from file to file, against nearfar direct, nearfar ewald and a crystal.
#include "cli/io/particles/columns.hpp"
#include "cli/table.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace nearfar::cli;

namespace {

using Words = std::vector<std::string>;

void succeed(Words const& arguments) {
  auto const outcome = run_nearfar(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
}

double relative_error(std::vector<double> const& a, std::vector<double> const& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

/// What a command makes of a file.
std::vector<double> result(Words arguments, std::string const& in, Words const& columns, TempFolder const& folder,
                           std::string const& extension = ".csv") {
  auto const out = folder / "out" + extension;
  for (auto const& word : {std::string("--sources"), in, std::string("--output"), out}) arguments.push_back(word);
  succeed(arguments);
  return read_table(out, columns, "").values;
}

void refuses(Words arguments, Words const& parts, int code = 2) {
  TempFolder const folder;
  auto const in = folder.write("in.csv", "x,y,z,q\n0.1,0.2,0.3,1\n0.6,0.5,0.4,-1\n"), out = folder / "out.csv";
  arguments.insert(arguments.begin(), {"fmm", "--sources", in, "--output", out});
  auto const outcome = run_nearfar(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  for (auto const& part : parts) CHECK_MESSAGE(contains(outcome.err, part), "missing: " << part);
  CHECK(!std::filesystem::exists(out));
}

}  // namespace

TEST_CASE("fmm: charges in free space as nearfar direct, through CSV and HDF5, with a report and a graph") {
  for (std::string const extension : {".csv", ".h5"}) {
    TempFolder const folder;
    auto const in = folder / "in" + extension;
    succeed({"generate", "--kernel", "laplace", "--distribution", "sphere", "--count", "3000", "--output", in});
    Words const columns{"phi", "dphidx", "dphidy", "dphidz"};
    auto const exact = result({"direct", "--kernel", "laplace", "--gradient", "--quiet"}, in, columns, folder);
    auto const fast = result({"fmm", "--gradient", "--tolerance", "1e-7", "--report", folder / "r.json", "--dag",
                              folder / "g.dot", "--depth", "3"},
                             in, columns, folder, extension);
    CHECK(relative_error(fast, exact) < 1e-7);
    auto const report = nlohmann::json::parse(text_of(folder / "r.json"));
    CHECK(report["solver"] == "fmm");
    CHECK(report["kernel"] == "laplace");
    CHECK(report["parameters"]["depth"] == 3);
    CHECK(report["parameters"]["order"] >= 8);
    CHECK(report["estimated_error"] <= 1e-7);
    for (auto const* stage : {"p2m", "m2m", "m2l", "l2l", "l2p", "leaf_p2p", "merge"}) {
      CHECK(report["seconds"].contains(stage));
      CHECK(contains(text_of(folder / "g.dot"), stage));
    }
  }
}

TEST_CASE("fmm: softened charges as nearfar direct, and not as those without softening") {
  TempFolder const folder;
  auto const in = folder / "in.csv";
  succeed({"generate", "--kernel", "laplace", "--count", "2000", "--output", in});
  Words const columns{"phi", "dphidx", "dphidy", "dphidz"};
  Words const soft{"--kernel", "laplace", "--gradient", "--quiet", "--softening", "0.002"};
  auto const by = [&](Words arguments) {
    arguments.insert(arguments.end(), soft.begin(), soft.end());
    return result(arguments, in, columns, folder);
  };
  auto const exact = by({"direct"}), fast = by({"fmm", "--tolerance", "1e-4", "--depth", "2"});
  CHECK(relative_error(fast, exact) < 1e-4);
  auto const hard = result({"direct", "--kernel", "laplace", "--gradient", "--quiet"}, in, columns, folder);
  CHECK(relative_error(hard, exact) > 1e-4);
}

TEST_CASE("fmm: Stokes kernels as nearfar direct, at targets of their own, in single precision too") {
  for (std::string const kernel : {"stokeslet", "stresslet", "stokes"}) {
    TempFolder const folder;
    auto const in = folder / "in.csv", at = folder / "at.csv";
    succeed({"generate", "--kernel", kernel, "--count", "2000", "--output", in});
    succeed({"generate", "--kernel", "laplace", "--count", "200", "--seed", "2", "--output", at});
    Words const columns{"ux", "uy", "uz"};
    Words const common{"--kernel", kernel, "--targets", at, "--quiet"};
    auto const run = [&](Words arguments, Words const& more = {}) {
      arguments.insert(arguments.end(), common.begin(), common.end());
      arguments.insert(arguments.end(), more.begin(), more.end());
      return result(arguments, in, columns, folder);
    };
    auto const exact = run({"direct"});
    CHECK(relative_error(run({"fmm"}, {"--tolerance", "1e-6", "--depth", "2"}), exact) < 1e-6);
    CHECK(relative_error(run({"fmm"}, {"--tolerance", "1e-3", "--precision", "single"}), exact) < 1e-3);
    CHECK(relative_error(run({"ewald"}, {"--periodic", "none", "--tolerance", "1e-6"}), exact) < 1e-6);
  }
}

TEST_CASE("fmm: a periodic cell as nearfar ewald; Madelung's constant of rock salt") {
  TempFolder const folder;
  auto const in = folder / "in.csv", salt = folder / "salt.csv";
  succeed({"generate", "--kernel", "laplace", "--count", "1000", "--box", "2,2,2", "--output", in});
  Words const periodic{"--kernel", "laplace", "--periodic", "xyz", "--box", "2,2,2", "--tolerance", "1e-8", "--quiet"};
  auto const by = [&](std::string const& command) {
    Words arguments{command};
    arguments.insert(arguments.end(), periodic.begin(), periodic.end());
    return result(arguments, in, {"phi"}, folder);
  };
  CHECK(relative_error(by("fmm"), by("ewald")) < 1e-8);
  succeed({"generate", "--distribution", "nacl", "--count", "4096", "--output", salt});
  auto const phi = result({"fmm", "--periodic", "xyz", "--tolerance", "1e-9"}, salt, {"phi"}, folder);
  auto const q = read_table(salt, {"q"}, "").values;
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += std::pow(-q[i] * phi[i] / 16 / 1.747564594633182 - 1, 2);
  CHECK(std::sqrt(sum / double(q.size())) < 1e-9);
}

TEST_CASE("fmm: what it cannot do is refused, and nothing is written") {
  refuses({"--periodic", "xy"}, {"none or xyz", "Ewald"});
  refuses({"--periodic", "xyz", "--box", "1,1,3"}, {"from 1 to 3", "oblong", "Ewald"});
  refuses({"--order", "8", "--tolerance", "1e-3"}, {"--tolerance and --order"});
  refuses({"--order", "99"}, {"order is 99", "1 to 30"});
  refuses({"--depth", "40"}, {"depth is 40", "0 to 20"});
  refuses({"--well-separation", "3"}, {"well separation is 3"});
  refuses({"--boundary", "glass"}, {"boundary", "tin-foil, vacuum"});
  refuses({"--boundary", "vacuum"}, {"vacuum"});
  refuses({"--box", "0.5,0,0"}, {"outside the box"});
  refuses({"--kernel", "stokeslet"}, {"fx"});
  refuses({"--gradient", "--kernel", "stokes"}, {"--gradient"});
  refuses({"--ordr", "3"}, {"did you mean --order?"});
}

TEST_CASE("bench fmm: one JSON object with times, rates and parameters") {
  auto const outcome =
      run_nearfar({"bench", "fmm", "--count", "5000", "--gradient", "--tolerance", "1e-4", "--repeat", "2", "--json"});
  REQUIRE(outcome.code == 0);
  auto const json = nlohmann::json::parse(outcome.out);
  CHECK(json["bench"] == "fmm");
  CHECK(json["kernel"] == "laplace");
  CHECK(json["gradient"] == true);
  CHECK(json["periodic"] == "none");
  CHECK(json["count"] == 5000);
  CHECK(json["particles_per_second"] > 0);
  CHECK(json["parameters"]["estimated_error"] <= 1e-4);
  CHECK(json["stages"].contains("m2l"));
  CHECK(run_nearfar({"bench", "fmm", "--count", "100", "--periodic", "xy"}).code == 2);
  CHECK(contains(run_nearfar({"bench", "nothing"}).err, "ewald, fmm"));
}

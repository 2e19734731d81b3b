// SPDX-License-Identifier: BSD-3-Clause
// Every operator in every cell against tests/oracle/golden/operators.json, whose numbers come from another program.
#include <nearfar/nearfar.hpp>

#include "tests/oracle/oracle.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace nearfar;
using Json = nlohmann::json;

namespace {

Json const& golden() {
  static Json const all = Json::parse(std::ifstream(NEARFAR_GOLDEN_OPERATORS));
  return all;
}

std::vector<double> flat(Json const& rows) {
  std::vector<double> numbers;
  for (auto const& row : rows)
    for (auto const& number : row) numbers.push_back(number);
  return numbers;
}

/// Names of kernels and outputs as in the file; none if this program lacks them.
std::optional<Kernel> kernel_of(std::string const& source) {
  static std::map<std::string, Kernel> const known{{"charge", Kernel::laplace},
                                                   {"stokeslet", Kernel::stokeslet},
                                                   {"stresslet", Kernel::stresslet},
                                                   {"rotlet", Kernel::rotlet}};
  auto const found = known.find(source);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Periodicity> periodicity_of(Json const& sum) {
  Json const &pbc = sum["pbc"], &cell = sum["cell"];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (i != j && cell[i][j] != 0) return {};
  int const x = pbc[0], y = pbc[1], z = pbc[2];
  if ((y != 0 && x == 0) || (z != 0 && y == 0)) return {};
  return Periodicity(x + y + z);
}

struct Problem {
  Kernel kernel;
  std::vector<double> sources, targets, strengths;
};

/// A tensor of a double layer is the sum of three products: its columns, each with a unit vector.
Problem problem_of(Json const& sum, Kernel kernel) {
  Problem p{kernel, flat(sum["sources"]), flat(sum["targets"]), {}};
  if (kernel != Kernel::stresslet) {
    p.strengths = flat(sum["strengths"]);
    return p;
  }
  p.sources.clear();
  for (std::size_t i = 0; i < sum["sources"].size(); ++i)
    for (int m = 0; m < 3; ++m) {
      for (double x : sum["sources"][i]) p.sources.push_back(x);
      for (int l = 0; l < 3; ++l) p.strengths.push_back(sum["strengths"][i][std::size_t(3 * l + m)]);
      for (int l = 0; l < 3; ++l) p.strengths.push_back(l == m);
    }
  return p;
}

/// The expected rows of results, with the gradient where the kernel has one.
std::vector<double> expected(Json const& outputs, Kernel kernel) {
  if (kernel != Kernel::laplace) return flat(outputs["velocity"]);
  std::vector<double> rows;
  for (std::size_t t = 0; t < outputs["potential"].size(); ++t) {
    rows.push_back(outputs["potential"][t][0]);
    for (double slope : outputs["gradient"][t]) rows.push_back(slope);
  }
  return rows;
}

double ewald_error(Runtime const& runtime, Json const& sum, Problem const& p, Periodicity periodicity, Split split) {
  EwaldOptions options{.kernel = p.kernel, .outputs = outputs_of(p.kernel), .periodicity = periodicity};
  for (std::size_t d = 0; d < 3; ++d) options.box[d] = int(d) < int(periodicity) ? double(sum["cell"][d][d]) : 0;
  options.tolerance = 1e-12;
  options.split = split;
  if (p.kernel == Kernel::stresslet && periodicity == Periodicity::xyz) options.zero_mode = ZeroMode::zero_mean_flow;
  Ewald plan(runtime, options);
  auto const points = plan.set_points(p.sources, p.targets);
  std::vector<double> u(points.targets() * std::size_t(result_components(p.kernel, options.outputs)));
  plan.submit(points, p.strengths, u).wait();
  return oracle::relative_error(u, expected(sum["outputs"], p.kernel));
}

template <class Check>
int for_each_sum(Check const& check) {
  int checked = 0;
  for (Json const& sum : golden()["sums"]) {
    auto const kernel = kernel_of(sum["source"]);
    auto const periodicity = periodicity_of(sum);
    if (!kernel || !periodicity) continue;
    CAPTURE(std::string(sum["name"]));
    CAPTURE(std::string(sum["source"]));
    check(sum, problem_of(sum, *kernel), *periodicity);
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("golden operators: Ewald sums, by both splits") {
  Runtime const runtime({.gpus = 0});
  int const checked = for_each_sum([&](Json const& sum, Problem const& p, Periodicity periodicity) {
    CHECK(ewald_error(runtime, sum, p, periodicity, Split::pswf) < 1e-11);
    CHECK(ewald_error(runtime, sum, p, periodicity, Split::gaussian) < 1e-11);
  });
  CHECK(checked == 4 * 5);  // four sources in the five cells with right angles whose first axes are periodic
}

TEST_CASE("golden operators: multipoles and direct sums in free space") {
  Runtime const runtime({.gpus = 0});
  int checked = 0;
  for_each_sum([&](Json const& sum, Problem const& p, Periodicity periodicity) {
    if (periodicity != Periodicity::none) return;
    auto const exact = expected(sum["outputs"], p.kernel);
    std::vector<double> u(exact.size());
    direct(runtime, p.kernel, outputs_of(p.kernel), p.sources, p.targets, p.strengths, u).wait();
    CHECK(oracle::relative_error(u, exact) < 1e-14);
    Fmm plan(runtime, {.kernel = p.kernel, .outputs = outputs_of(p.kernel), .order = 30, .depth = 1});
    auto const points = plan.set_points(p.sources, p.targets);
    plan.submit(points, p.strengths, u).wait();
    CHECK(oracle::relative_error(u, exact) < 1e-11);
    ++checked;
  });
  CHECK(checked == 4);
}

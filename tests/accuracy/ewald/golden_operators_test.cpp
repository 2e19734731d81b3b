// SPDX-License-Identifier: BSD-3-Clause
// Every operator in every cell against tests/oracle/golden/operators.json, whose numbers come from another program.
#include <nearfar/nearfar.hpp>

#include "tests/oracle/oracle.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
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
  static std::map<std::string, Kernel> const known{{"charge", Kernel::laplace},      {"stokeslet", Kernel::stokeslet},
                                                   {"stresslet", Kernel::stresslet}, {"rotlet", Kernel::rotlet},
                                                   {"doublet", Kernel::doublet},     {"dipole", Kernel::dipole}};
  auto const found = known.find(source);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

Periodicity periodicity_of(Json const& sum) {
  std::string axes;
  for (std::size_t d = 0; d < 3; ++d)
    if (sum["pbc"][d] != 0) axes += "xyz"[d];
  return axes.empty() ? Periodicity::none : from_name<Periodicity>(axes);
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

/// Rows of numbers, of a Hessian's nine xx, xy, xz, yy, yz, zz.
std::vector<double> rows_of(Json const& output, Output what) {
  if (what != Output::hessian) return flat(output);
  std::vector<double> rows;
  for (auto const& row : output)
    for (std::size_t number : {0, 1, 2, 4, 5, 8}) rows.push_back(row[number]);
  return rows;
}

/// An output's name in the file.
char const* golden_name(Kernel kernel, Output output) {
  switch (output) {
    case Output::potential: return "potential";
    case Output::velocity: return "velocity";
    case Output::pressure: return "pressure";
    case Output::gradient: return first_output(kernel) == Output::potential ? "gradient" : "velocity_gradient";
    case Output::hessian: return "hessian";
  }
  throw std::logic_error("the file has no such output");
}

/// The largest relative error of an output, each by itself. `other`: outputs that replace those of the sum, or null.
double worst_error(Json const& sum, Kernel kernel, Outputs outputs, std::vector<double> const& found,
                   Json const& other = {}) {
  std::size_t const width = std::size_t(result_components(kernel, outputs)), rows = found.size() / width;
  double worst = 0;
  std::size_t begin = 0;
  for (Output const output : list_of(outputs)) {
    char const* const name = golden_name(kernel, output);
    std::size_t const end = begin + std::size_t(output_components(kernel, output));
    Json const& of = other.contains(name) ? other : sum["outputs"];
    bool const none = !of.contains(name);  // the pressure of rotlets
    std::vector<double> here;
    for (std::size_t t = 0; t < rows; ++t) here.insert(here.end(), &found[t * width + begin], &found[t * width] + end);
    if (none) CHECK(std::all_of(here.begin(), here.end(), [](double x) { return x == 0; }));
    else worst = std::max(worst, oracle::relative_error(here, rows_of(of[name], output)));
    begin = end;
  }
  CHECK(begin == width);
  return worst;
}

double ewald_error(Runtime const& runtime, Json const& sum, Problem const& p, Periodicity periodicity, Split split,
                   ZeroMode zero_mode = ZeroMode::zero_mean_flow) {
  EwaldOptions options{.kernel = p.kernel, .outputs = outputs_of(p.kernel), .periodicity = periodicity};
  options.cell.emplace();
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t c = 0; c < 3 && is_periodic(periodicity, int(d)); ++c) (*options.cell)[d][c] = sum["cell"][d][c];
  options.tolerance = 1e-12;
  options.split = split;
  if (p.kernel == Kernel::stresslet && periodicity == Periodicity::xyz) options.zero_mode = zero_mode;
  Ewald plan(runtime, options);
  auto const points = plan.set_points(p.sources, p.targets);
  std::vector<double> u(points.targets() * std::size_t(result_components(p.kernel, options.outputs)));
  plan.submit(points, p.strengths, u).wait();
  bool const flux = zero_mode == ZeroMode::zero_face_flux;
  return worst_error(sum, p.kernel, options.outputs, u, flux ? sum["face_flux"] : Json());
}

/// Charges and dipoles at the same places, as one kernel: strengths and results of two sums of the same name.
Json with_charges(Json sum, Json const& charges) {
  for (std::size_t i = 0; i < sum["strengths"].size(); ++i)
    sum["strengths"][i].insert(sum["strengths"][i].begin(), charges["strengths"][i][0]);
  for (char const* name : {"potential", "gradient", "hessian"})
    for (std::size_t t = 0; t < sum["outputs"][name].size(); ++t)
      for (std::size_t i = 0; i < sum["outputs"][name][t].size(); ++i)
        sum["outputs"][name][t][i] = double(sum["outputs"][name][t][i]) + double(charges["outputs"][name][t][i]);
  return sum;
}

template <class Check>
int for_each_sum(Check const& check) {
  int checked = 0;
  for (Json const& sum : golden()["sums"]) {
    auto const kernel = kernel_of(sum["source"]);
    auto const periodicity = periodicity_of(sum);
    if (!kernel) continue;
    CAPTURE(std::string(sum["name"]));
    CAPTURE(std::string(sum["source"]));
    check(sum, problem_of(sum, *kernel), periodicity);
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
  CHECK(checked == 6 * 12);  // six sources in each cell
}

TEST_CASE("golden operators: Ewald sums of charges with dipoles") {
  Runtime const runtime({.gpus = 0});
  int checked = 0;
  for_each_sum([&](Json const& sum, Problem const& p, Periodicity periodicity) {
    if (p.kernel != Kernel::dipole) return;
    for_each_sum([&](Json const& charges, Problem const& of_charges, Periodicity) {
      if (of_charges.kernel != Kernel::laplace || charges["name"] != sum["name"]) return;
      REQUIRE(of_charges.sources == p.sources);
      Json const both = with_charges(sum, charges);
      Problem const of_both = problem_of(both, Kernel::charge_dipole);
      for (Split split : {Split::pswf, Split::gaussian})
        CHECK(ewald_error(runtime, both, of_both, periodicity, split) < 1e-11);
      ++checked;
    });
  });
  CHECK(checked == 12);
}

TEST_CASE("golden operators: double layers without flux through the faces of the cell") {
  Runtime const runtime({.gpus = 0});
  int checked = 0;
  for_each_sum([&](Json const& sum, Problem const& p, Periodicity periodicity) {
    if (p.kernel != Kernel::stresslet || periodicity != Periodicity::xyz) return;
    REQUIRE(sum["face_flux"].contains("velocity_gradient"));
    CHECK(ewald_error(runtime, sum, p, periodicity, Split::pswf, ZeroMode::zero_face_flux) < 1e-11);
    ++checked;
  });
  CHECK(checked == 6);
}

TEST_CASE("golden operators: multipoles of charges and dipoles in periodic cells") {
  Runtime const runtime({.gpus = 0});
  int checked = 0;
  for_each_sum([&](Json const& sum, Problem const& p, Periodicity periodicity) {
    std::string const name = sum["name"];
    if (periodicity != Periodicity::xyz || (name != "3P cubic" && name != "3P rectangular")) return;
    if (p.kernel != Kernel::laplace && p.kernel != Kernel::dipole) return;
    FmmOptions options{.kernel = p.kernel, .outputs = outputs_of(p.kernel), .periodicity = periodicity};
    for (std::size_t d = 0; d < 3; ++d) options.box[d] = sum["cell"][d][d];
    options.order = 30;
    options.depth = 2;
    options.well_separation = 2;
    Fmm plan(runtime, options);
    auto const points = plan.set_points(p.sources, p.targets);
    std::vector<double> u(points.targets() * std::size_t(result_components(p.kernel, options.outputs)));
    plan.submit(points, p.strengths, u).wait();
    CHECK(worst_error(sum, p.kernel, options.outputs, u) < 1e-10);
    ++checked;
  });
  CHECK(checked == 4);
}

TEST_CASE("golden operators: multipoles and direct sums in free space") {
  Runtime const runtime({.gpus = 0});
  int checked = 0;
  for_each_sum([&](Json const& sum, Problem const& p, Periodicity periodicity) {
    if (periodicity != Periodicity::none) return;
    Outputs const all = outputs_of(p.kernel);
    std::vector<double> u(p.targets.size() / 3 * std::size_t(result_components(p.kernel, all)));
    direct(runtime, p.kernel, all, p.sources, p.targets, p.strengths, u).wait();
    CHECK(worst_error(sum, p.kernel, all, u) < 1e-14);
    Fmm plan(runtime, {.kernel = p.kernel, .outputs = all, .order = 30, .depth = 1});
    auto const points = plan.set_points(p.sources, p.targets);
    plan.submit(points, p.strengths, u).wait();
    CHECK(worst_error(sum, p.kernel, all, u) < 1e-11);
    ++checked;
  });
  CHECK(checked == 6);
}

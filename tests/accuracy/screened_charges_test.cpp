// SPDX-License-Identifier: BSD-3-Clause
// Screened charges against tests/oracle/golden/operators.json, sums over images, and charges without screening.
#include <nearfar/nearfar.hpp>

#include "tests/oracle/oracle.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

using namespace nearfar;
using Json = nlohmann::json;

namespace {

constexpr Outputs with_gradient = Output::potential | Output::gradient, all = with_gradient | Output::hessian;

std::vector<double> flat(Json const& rows) {
  std::vector<double> numbers;
  for (auto const& row : rows)
    for (auto const& number : row) numbers.push_back(number);
  return numbers;
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
  std::vector<double> sources, targets, strengths;
};

/// Screened charges in a box that repeats along some directions, image by image: all outputs.
std::vector<double> image_sums(Problem const& p, std::array<double, 3> const& box, Periodicity periodicity,
                               double screening) {
  std::vector<double> rows;
  int reach[3];
  for (int d = 0; d < 3; ++d)
    reach[d] = d < int(periodicity) ? int(std::ceil(45 / screening / box[std::size_t(d)])) : 0;
  for (std::size_t t = 0; t < p.targets.size(); t += 3) {
    long double sum[10] = {};
    for (std::size_t s = 0; s < p.strengths.size(); ++s)
      for (int i = -reach[0]; i <= reach[0]; ++i)
        for (int j = -reach[1]; j <= reach[1]; ++j)
          for (int k = -reach[2]; k <= reach[2]; ++k) {
            int const image[3] = {i, j, k};
            long double r[3], r2 = 0;
            for (std::size_t d = 0; d < 3; ++d) {
              r[d] = (long double)(p.targets[t + d]) - p.sources[3 * s + d] - image[d] * box[d];
              r2 += r[d] * r[d];
            }
            if (r2 == 0) continue;
            long double const length = std::sqrt(r2), phi = p.strengths[s] * std::exp(-screening * length) / length;
            long double const x = screening * length, radial = phi * (1 + x) / r2,
                              along = phi * (3 + 3 * x + x * x) / (r2 * r2);
            sum[0] += phi;
            for (std::size_t d = 0; d < 3; ++d) sum[1 + d] -= radial * r[d];
            for (std::size_t a = 0, m = 4; a < 3; ++a)
              for (std::size_t b = a; b < 3; ++b) sum[m++] += along * r[a] * r[b] - (a == b ? radial : 0);
          }
    for (long double number : sum) rows.push_back(double(number));
  }
  return rows;
}

}  // namespace

TEST_CASE("golden operators: screened charges") {
  Runtime const runtime({.gpus = 0});
  int checked = 0;
  Json const golden = Json::parse(std::ifstream(NEARFAR_GOLDEN_OPERATORS));
  for (Json const& sum : golden["screened"]) {
    auto const periodicity = periodicity_of(sum);
    if (sum["kernel"] != "yukawa" || !periodicity) continue;
    CAPTURE(std::string(sum["name"]));
    Problem p{flat(sum["sources"]), flat(sum["targets"]), sum["strengths"]};
    std::vector<double> const exact = sum["potential"];
    for (Split split : {Split::pswf, Split::gaussian}) {
      EwaldOptions options{.kernel = Kernel::yukawa, .periodicity = *periodicity, .tolerance = 1e-12, .split = split};
      for (std::size_t d = 0; d < 3; ++d) options.box[d] = int(d) < int(*periodicity) ? double(sum["cell"][d][d]) : 0;
      options.screening = double(sum["lam"]);
      Ewald plan(runtime, options);
      auto const points = plan.set_points(p.sources, p.targets);
      std::vector<double> u(points.targets());
      plan.submit(points, p.strengths, u).wait();
      CHECK(oracle::relative_error(u, exact) < 1e-11);
    }
    ++checked;
  }
  CHECK(checked == 4);
}

TEST_CASE("screened charges: Ewald and direct sums against sums over images, for weak and strong screening") {
  Runtime const runtime({.gpus = 0});
  Problem const p{
      {.1, .2, .3, .7, .3, .5, .4, .9, .2, .95, .6, .8}, {.3, .3, .3, .1, .2, .3, .7, .5, .85}, {1, -.5, .8, .3}};
  std::array<double, 3> const box{1, 1.2, .9};
  for (double screening : {4.0, 30.0})
    for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz}) {
      CAPTURE(screening);
      CAPTURE(name(periodicity).data());
      auto const exact = image_sums(p, box, periodicity, screening);
      std::vector<double> u(exact.size());
      if (periodicity == Periodicity::none) {
        direct(runtime, Kernel::yukawa, all, p.sources, p.targets, p.strengths, u, screening).wait();
        CHECK(oracle::relative_error(u, exact) < 1e-14);
      }
      for (Split split : {Split::pswf, Split::gaussian}) {
        Ewald plan(runtime, {.kernel = Kernel::yukawa,
                             .outputs = all,
                             .periodicity = periodicity,
                             .box = box,
                             .tolerance = 1e-12,
                             .split = split,
                             .screening = screening});
        auto const points = plan.set_points(p.sources, p.targets);
        plan.submit(points, p.strengths, u).wait();
        CHECK(oracle::relative_error(u, exact, 10, 0, 1) < 1e-11);
        CHECK(oracle::relative_error(u, exact, 10, 1, 3) < 1e-11);
        CHECK(oracle::relative_error(u, exact, 10, 4, 6) < 1e-11);
      }
    }
}

TEST_CASE("screened charges: next to no screening in free space leaves charges") {
  Runtime const runtime({.gpus = 0});
  std::vector<double> const x{.1, .2, .3, .7, .3, .5, .4, .9, .2}, q{1, -.5, .8};
  std::vector<double> u(12), charges(12);
  for (double screening : {1e-13, 1e-16}) {
    Ewald plan(runtime, {.kernel = Kernel::yukawa,
                         .outputs = with_gradient,
                         .periodicity = Periodicity::none,
                         .box = {1, 1, 1},
                         .tolerance = 1e-12,
                         .screening = screening});
    plan.submit(plan.set_points(x), q, u).wait();
    direct(runtime, Kernel::laplace, with_gradient, x, x, q, charges).wait();
    CHECK(oracle::relative_error(u, charges) < 1e-11);
  }
}

TEST_CASE("screened charges: a screening that is missing, not above 0, or not the kernel's is refused") {
  Runtime const runtime({.gpus = 0});
  auto const refused = [&](EwaldOptions const& options) {
    try {
      Ewald plan(runtime, options);
    } catch (Error const& e) {
      return e.fault() == Fault::bad_input ? std::string(e.what()) : "another fault";
    }
    return std::string();
  };
  CHECK(refused({.kernel = Kernel::yukawa}).find("without a screening") != std::string::npos);
  CHECK(refused({.kernel = Kernel::yukawa, .screening = 0}).find("above 0") != std::string::npos);
  CHECK(refused({.kernel = Kernel::yukawa, .screening = -1}).find("above 0") != std::string::npos);
  CHECK(refused({.kernel = Kernel::laplace, .screening = 1}).find("use kernel yukawa") != std::string::npos);
  std::vector<double> const x{0, 0, 0}, q{1};
  std::vector<double> u(1);
  CHECK_THROWS_AS(direct(runtime, Kernel::yukawa, {}, x, x, q, u), Error);
  CHECK_THROWS_AS(direct(runtime, Kernel::laplace, {}, x, x, q, u, 1.0), Error);
}

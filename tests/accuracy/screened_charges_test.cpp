// SPDX-License-Identifier: BSD-3-Clause
// Screened charges against tests/oracle/golden/operators.json, sums over images, and charges without screening.
#include <nearfar/nearfar.hpp>

#include "tests/oracle/oracle.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <type_traits>
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

namespace {

/// In a periodic cube, charges that add up to nothing have next to no mean; at little screening, what rounding and the
/// window leave of their sum is amplified by 4 pi / lambda^2. There screened charges are charges, but for lambda q,
/// which a charge has less of itself.
template <class Plan, class T>
void check_neutral(Runtime const& runtime, double tolerance, double screening) {
  CAPTURE(tolerance);
  CAPTURE(screening);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> anywhere(0, 1);
  constexpr std::size_t count = 200;
  std::vector<T> x(3 * count), q(count), u(count);
  for (T& c : x) c = T(anywhere(random));
  for (std::size_t i = 0; i < count; ++i) q[i] = i % 2 == 0 ? T(1) : T(-1);
  std::vector<double> const doubles(x.begin(), x.end()), charges(q.begin(), q.end());
  std::vector<double> expected(count);
  Ewald exact(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-11});
  exact.submit(exact.set_points(doubles), charges, expected).wait();
  for (std::size_t i = 0; i < count; ++i) expected[i] += screening * charges[i];
  Plan plan(runtime, {.kernel = Kernel::yukawa, .tolerance = tolerance, .screening = screening});
  auto solve = plan.submit(plan.set_points(x), std::span<T const>(q), std::span<T>(u));
  double const told = solve.report().sampled_error,
               error = oracle::relative_error(std::vector<double>(u.begin(), u.end()), expected);
  CAPTURE(told);
  CHECK((error <= std::max(tolerance, told) || told == 1));  // 1: nothing in the result is right
  if (std::is_same_v<T, double>) CHECK(told <= tolerance);
}

}  // namespace

TEST_CASE("screened charges: next to no screening of charges that add up to nothing, in a periodic cell") {
  Runtime const runtime({.gpus = 0});
  check_neutral<Ewald, double>(runtime, 1e-4, 1e-2);
  for (double tolerance : {1e-4, 1e-6}) check_neutral<Ewald, double>(runtime, tolerance, 1e-3);
  for (double screening : {1e-2, 1e-3}) check_neutral<EwaldSingle, float>(runtime, 1e-4, screening);
}

TEST_CASE("screened charges: repeated solves come to an end where the tolerance is of the whole") {
  Runtime const runtime({.gpus = 0});
  Problem p;
  for (int i = 0; i < 9; ++i) p.sources.push_back((i + 1) * 7919 % 10007 / 10007.0);
  p.targets = p.sources;
  p.strengths = {1, -1, 1};
  for (double screening : {25.0, 30.0}) {
    auto const rows = image_sums(p, {1, 1, 1}, Periodicity::xyz, screening);
    std::vector<double> const exact{rows[0], rows[10], rows[20]};
    std::vector<double> u(3);
    Ewald plan(
        runtime,
        {.kernel = Kernel::yukawa, .tolerance = 5e-5, .tolerance_of = ToleranceOf::whole, .screening = screening});
    auto solve = plan.submit(plan.set_points(p.sources), p.strengths, u);
    double const told = solve.report().sampled_error;
    CHECK(oracle::relative_error(u, exact) <= std::max(5e-5, told));
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

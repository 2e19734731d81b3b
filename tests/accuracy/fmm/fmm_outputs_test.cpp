// SPDX-License-Identifier: BSD-3-Clause
// Every output of every kernel by multipoles keeps the tolerance by itself, in free space against direct sums and in
// periodic cells against Ewald's.
#include "tests/accuracy/fmm/fmm_solve.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

enum class Places { cube, sphere, cluster };

/// Points in a cube, on a sphere, or in a cluster whose density falls like r^-3; all of them floats.
std::vector<double> places(Places kind, std::size_t count) {
  std::mt19937_64 generator(31);
  std::vector<double> x;
  while (x.size() < 3 * count) {
    double at[3];
    for (double& a : at) a = 2 * uniform(generator) - 1;
    double const r = std::hypot(at[0], at[1], at[2]);
    if (kind != Places::cube && (r > 1 || r < 0.1)) continue;
    double const scale = kind == Places::cube     ? 1
                         : kind == Places::sphere ? 1 / r
                                                  : std::pow(1e-3, uniform(generator)) / r;
    for (double a : at) x.push_back(double(float(0.5 + 0.5 * scale * a)));
  }
  return x;
}

struct Problem {
  Kernel kernel;
  std::vector<double> x, strengths, exact;

  int row() const { return result_components(kernel, outputs_of(kernel)); }
};

Problem problem(Runtime const& runtime, Kernel kernel, Places kind, std::size_t count) {
  Problem p{kernel, places(kind, count), {}, {}};
  std::mt19937_64 generator(17);
  for (std::size_t i = 0; i < count * std::size_t(strength_components(kernel)); ++i)
    p.strengths.push_back(double(float(2 * uniform(generator) - 1)));
  p.exact.resize(count * std::size_t(p.row()));
  direct(runtime, kernel, outputs_of(kernel), p.x, p.x, p.strengths, p.exact).wait();
  return p;
}

template <class T>
void check(Runtime const& runtime, Problem const& p, FmmOptions options) {
  options.kernel = p.kernel;
  options.outputs = outputs_of(p.kernel);
  BasicFmm<T> plan(runtime, options);
  std::vector<T> const x(p.x.begin(), p.x.end()), f(p.strengths.begin(), p.strengths.end());
  std::vector<T> u(p.exact.size());
  plan.submit(plan.set_points(std::span<T const>(x)), f, u).wait();
  std::vector<double> const found(u.begin(), u.end());
  CAPTURE(std::string(name(p.kernel)));
  CAPTURE(options.tolerance);
  CAPTURE(sizeof(T));
  for (int first = 0; Output output : list_of(options.outputs)) {
    int const count = output_components(p.kernel, output);
    CAPTURE(std::string(name(output)));
    double const error = oracle::relative_error(found, p.exact, p.row(), first, count);
    if (std::isnan(error)) CHECK((p.kernel == Kernel::rotlet && output == Output::pressure));  // 0 of 0
    else CHECK(error < options.tolerance);
    first += count;
  }
}

constexpr std::array kernels{Kernel::laplace,   Kernel::dipole, Kernel::charge_dipole, Kernel::stokeslet,
                             Kernel::stresslet, Kernel::stokes, Kernel::rotlet,        Kernel::doublet};

}  // namespace

TEST_CASE("multipoles: each output keeps the tolerance by itself") {
  Runtime const runtime({.gpus = 0});
  for (Kernel kernel : kernels)
    for (Places kind : {Places::cube, Places::sphere, Places::cluster}) {
      CAPTURE(int(kind));
      auto const p = problem(runtime, kernel, kind, 2000);
      for (double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9})
        check<double>(runtime, p, {.tolerance = tolerance});
      check<float>(runtime, p, {.tolerance = 1e-3});
      check<float>(runtime, p, {.tolerance = 1e-4});
    }
}

TEST_CASE("multipoles in periodic cells: each output of charges and dipoles keeps the tolerance by itself") {
  Runtime const runtime({.gpus = 0});
  for (Kernel kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole}) {
    auto p = problem(runtime, kernel, Places::cube, 1000);
    FmmOptions options{.periodicity = Periodicity::xyz, .box = {1, 1.1, 0.9}};
    Ewald exact(runtime, {.kernel = kernel,
                          .outputs = outputs_of(kernel),
                          .periodicity = Periodicity::xyz,
                          .box = {1, 1.1, 0.9},
                          .tolerance = 1e-12});
    exact.submit(exact.set_points(p.x), p.strengths, p.exact).wait();
    for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
      options.tolerance = tolerance;
      check<double>(runtime, p, options);
    }
    options.tolerance = 1e-4;
    check<float>(runtime, p, options);
  }
}

TEST_CASE("multipoles in a vacuum: dipoles lack the field of the charges on a distant conductor") {
  // phi of Ewald is phi of the vacuum + 2 pi / (3 V) (sum of 2 p . y - 2 x . P), from the centre of the cell, in which
  // P is the sum of p (fmm.md, Sec. 2).
  Runtime const runtime({.gpus = 0});
  auto p = problem(runtime, Kernel::dipole, Places::cube, 300);
  Outputs const outputs = Output::potential | Output::gradient;
  FmmOptions options{.kernel = Kernel::dipole,
                     .outputs = outputs,
                     .periodicity = Periodicity::xyz,
                     .box = {1, 1, 1},
                     .tolerance = 1e-9};
  std::vector<double> inside(1200), outside(1200);
  for (Boundary boundary : {Boundary::tin_foil, Boundary::vacuum}) {
    options.boundary = boundary;
    Fmm plan(runtime, options);
    plan.submit(plan.set_points(p.x), p.strengths, boundary == Boundary::vacuum ? outside : inside).wait();
  }
  double sum[3] = {}, second = 0;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    sum[i % 3] += p.strengths[i];
    second += 2 * p.strengths[i] * (p.x[i] - 0.5);
  }
  double const factor = 2 * std::acos(-1.0) / 3;
  for (std::size_t i = 0; i < 300; ++i) {
    double along = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      along += 2 * (p.x[3 * i + d] - 0.5) * sum[d];
      CHECK(inside[4 * i + 1 + d] - outside[4 * i + 1 + d] == doctest::Approx(-2 * factor * sum[d]).epsilon(1e-6));
    }
    CHECK(std::abs(inside[4 * i] - outside[4 * i] - factor * (second - along)) < 1e-6 * std::abs(factor * second));
  }
}

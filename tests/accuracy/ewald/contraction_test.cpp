// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/solve.hpp"
#include "tests/oracle/sphere.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <numeric>

using namespace nearfar;

namespace {

constexpr oracle::Box box{1, 1.3, .8};
constexpr double pi = std::numbers::pi;

/// Charges that do not add up to zero, and targets of their own.
System charges(Periodicity periodicity) { return random_system(periodicity, Kernel::laplace, box, 200, 40, 41, false); }

/// The same points with other strengths: `row(charge)` per source.
template <class Row>
System with_strengths(System system, Kernel kernel, Row row) {
  std::vector<double> strengths;
  for (double q : system.strengths) {
    auto const values = row(q);
    strengths.insert(strengths.end(), values.begin(), values.end());
  }
  system.kernel = kernel;
  system.strengths = strengths;
  return system;
}

EwaldOptions const options{.tolerance = 1e-12, .zero_mode = ZeroMode::zero_mean_flow};

}  // namespace

TEST_CASE("property: the trace of the Stokeslet is four potentials") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity) {
    System const system = charges(periodicity);
    auto const phi = solve_whole(runtime, system, options);
    std::vector<double> trace(phi.size() / 4), four(trace.size());
    for (std::size_t j = 0; j < 3; ++j) {
      auto const u = solve_whole(runtime,
                                 with_strengths(system, Kernel::stokeslet,
                                                [&](double q) {
                                                  std::array<double, 3> f{};
                                                  f[j] = q;
                                                  return f;
                                                }),
                                 options);
      for (std::size_t t = 0; t < trace.size(); ++t) trace[t] += u[3 * t + j];
    }
    // Periodic along x, constants are left open, and chosen so that they differ: -8 per unit of strength per length
    // (the table of conventions.md: -4 - 3 - 3 + 2).
    double const total = std::accumulate(system.strengths.begin(), system.strengths.end(), 0.0);
    double const constant = periodicity == Periodicity::x ? -8 * total / box[0] : 0;
    for (std::size_t t = 0; t < four.size(); ++t) four[t] = 4 * phi[4 * t] + constant;
    CAPTURE(title(system));
    CHECK(oracle::relative_error(trace, four) < 4e-12);
  }
}

TEST_CASE("property: stresslets with q n = I are six gradients") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity) {
    System const system = charges(periodicity);
    auto const phi = solve_whole(runtime, system, options);
    std::vector<double> contracted(phi.size() / 4 * 3), gradient(contracted);
    for (std::size_t j = 0; j < 3; ++j) {
      auto const u = solve_whole(runtime,
                                 with_strengths(system, Kernel::stresslet,
                                                [&](double q) {
                                                  std::array<double, 6> row{};
                                                  row[j] = q;
                                                  row[3 + j] = 1;
                                                  return row;
                                                }),
                                 options);
      for (std::size_t i = 0; i < u.size(); ++i) contracted[i] += u[i];
    }
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = 6 * phi[4 * (i / 3) + 1 + i % 3];
    CAPTURE(title(system));
    CHECK(oracle::relative_error(contracted, gradient) < 4e-12);
  }
}

TEST_CASE("property: both layers together are their sum") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity) {
    auto const both = random_system(periodicity, Kernel::stokes, box, 200, 200, 43);
    System single = both, dual = both;
    single.kernel = Kernel::stokeslet;
    dual.kernel = Kernel::stresslet;
    single.strengths.clear();
    dual.strengths.clear();
    for (auto row = both.strengths.begin(); row != both.strengths.end(); row += 9) {
      single.strengths.insert(single.strengths.end(), row, row + 3);
      dual.strengths.insert(dual.strengths.end(), row + 3, row + 9);
    }
    auto sum = solve_whole(runtime, single, {.tolerance = 1e-11});
    auto const u = solve_whole(runtime, dual, {.tolerance = 1e-11});
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += u[i];
    check_error(title(both) + ", both layers", both, solve_whole(runtime, both, {.tolerance = 1e-11}), sum, 2e-11);
  }
}

TEST_CASE("property: a constant double layer over a sphere, with free directions") {
  // Nothing is left open there: 8 pi q inside and 0 outside. All directions periodic: zero_mode_test.
  Runtime const runtime;
  std::array<double, 3> const q{.3, -.7, .5}, centre{.4, .6, .38};
  oracle::Sphere const sphere(centre, .25, q);
  for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy}) {
    System const system{Kernel::stresslet, box,        sphere.points, {.42, .58, .36, .9, 1.2, .02},
                        sphere.strengths,  periodicity};
    auto const u = solve_whole(runtime, system, {.tolerance = 1e-11});
    CAPTURE(title(system));
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(u[j] == doctest::Approx(8 * pi * q[j]).epsilon(1e-9));
      CHECK(std::abs(u[3 + j]) < 1e-9);
    }
  }
}

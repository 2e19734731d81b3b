// SPDX-License-Identifier: BSD-3-Clause
// What holds for operators whatever their numbers: traces, balances, reciprocity, limits, closed surfaces.
#include <nearfar/flow.hpp>
#include <nearfar/nearfar.hpp>

#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::array<double, 3> box{1, 1.3, 0.8};
constexpr Periodicity periodicities[] = {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz};
constexpr double pi = std::numbers::pi;

std::vector<double> numbers(std::size_t count, unsigned seed) {
  auto all = random_points(count, {2, 2, 2}, seed);
  all.resize(count);
  for (double& x : all) x -= 1;
  return all;
}

/// All outputs of a kernel, to the finest tolerance; without targets at the sources.
std::vector<double> solve(Runtime const& runtime, Kernel kernel, Periodicity periodicity,
                          std::vector<double> const& sources, std::vector<double> const& strengths,
                          std::vector<double> const& targets = {}) {
  EwaldOptions o{.kernel = kernel, .outputs = outputs_of(kernel), .periodicity = periodicity};
  o.box = box;
  o.tolerance = 1e-12;
  if (kernel == Kernel::yukawa) o.screening = 2;
  if (kernel == Kernel::stresslet && periodicity == Periodicity::xyz) o.zero_mode = ZeroMode::zero_mean_flow;
  Ewald plan(runtime, o);
  auto const points = targets.empty() ? plan.set_points(sources) : plan.set_points(sources, targets);
  std::vector<double> u(points.targets() * std::size_t(result_components(kernel, o.outputs)));
  plan.submit(points, strengths, u).wait();
  return u;
}

double dot(std::vector<double> const& a, std::vector<double> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Some columns of rows.
std::vector<double> columns(std::vector<double> const& rows, std::size_t width, std::size_t first, std::size_t count) {
  std::vector<double> out;
  for (std::size_t i = first; i < rows.size(); i += width)
    out.insert(out.end(), rows.begin() + std::ptrdiff_t(i), rows.begin() + std::ptrdiff_t(i + count));
  return out;
}

double symmetric(double const* hessian, std::size_t a, std::size_t b) {
  constexpr std::size_t place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  return hessian[place[a][b]];
}

}  // namespace

TEST_CASE("operators: the trace of a Hessian is that of the background, or of the screening") {
  Runtime const runtime({.gpus = 0});
  auto const x = random_points(30, box, 1), y = random_points(10, box, 2);
  for (Periodicity const periodicity : periodicities)
    for (Kernel const kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa}) {
      CAPTURE(name(periodicity));
      CAPTURE(name(kernel));
      auto const width = std::size_t(strength_components(kernel));
      auto const s = numbers(30 * width, 3);
      auto const u = solve(runtime, kernel, periodicity, x, s, y);
      double charge = 0, largest = 0;
      if (kernel != Kernel::dipole)
        for (std::size_t i = 0; i < s.size(); i += width) charge += s[i];
      for (double const value : u) largest = std::max(largest, std::abs(value));
      double const of_background = periodicity == Periodicity::xyz && kernel != Kernel::yukawa
                                       ? 4 * pi * charge / (box[0] * box[1] * box[2])
                                       : 0;
      for (std::size_t i = 0; i < u.size(); i += 10) {
        double const expected = kernel == Kernel::yukawa ? 4 * u[i] : of_background;
        CHECK(std::abs(u[i + 4] + u[i + 7] + u[i + 9] - expected) < 1e-10 * largest);
      }
    }
}

TEST_CASE("operators: forces and torques of charges with dipoles are in balance") {
  Runtime const runtime({.gpus = 0});
  std::size_t const count = 40;
  auto const x = random_points(count, box, 5), s = numbers(4 * count, 6);
  for (Periodicity const periodicity : periodicities) {
    CAPTURE(name(periodicity));
    auto const u = solve(runtime, Kernel::charge_dipole, periodicity, x, s);
    double force[3] = {}, torque[3] = {}, largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double const *const field = &u[10 * i], *const p = &s[4 * i + 1];
      double of_point[3];
      for (std::size_t a = 0; a < 3; ++a) {
        of_point[a] = -s[4 * i] * field[1 + a];
        for (std::size_t b = 0; b < 3; ++b) of_point[a] -= p[b] * symmetric(field + 4, a, b);
        force[a] += of_point[a];
        largest = std::max(largest, std::abs(of_point[a]));
      }
      for (std::size_t a = 0; a < 3; ++a) {
        std::size_t const b = (a + 1) % 3, c = (a + 2) % 3;
        torque[a] +=
            x[3 * i + b] * of_point[c] - x[3 * i + c] * of_point[b] - p[b] * field[1 + c] + p[c] * field[1 + b];
      }
    }
    for (std::size_t a = 0; a < 3; ++a) {
      CHECK(std::abs(force[a]) < 1e-10 * largest);
      if (periodicity == Periodicity::none) CHECK(std::abs(torque[a]) < 1e-10 * largest);
    }
  }
}

TEST_CASE("operators: reciprocity") {
  Runtime const runtime({.gpus = 0});
  auto const x = random_points(20, box, 7), y = random_points(20, box, 8);
  for (Periodicity const periodicity : periodicities) {
    CAPTURE(name(periodicity));
    auto const both_ways = [&](Kernel kernel, std::size_t first, std::size_t count) {
      auto const a = numbers(20 * count, 9), b = numbers(20 * count, 10);
      auto const width = std::size_t(result_components(kernel, outputs_of(kernel)));
      double const forth = dot(b, columns(solve(runtime, kernel, periodicity, x, a, y), width, first, count)),
                   back = dot(a, columns(solve(runtime, kernel, periodicity, y, b, x), width, first, count));
      CHECK(forth == doctest::Approx(back).epsilon(1e-9));
    };
    both_ways(Kernel::stokeslet, 0, 3);  // f.u of forces
    both_ways(Kernel::doublet, 4, 9);    // D:L of force dipoles
    both_ways(Kernel::dipole, 1, 3);     // p.grad phi of dipoles
    both_ways(Kernel::yukawa, 0, 1);
  }
}

TEST_CASE("operators: a dipole is two charges that are close") {
  Runtime const runtime({.gpus = 0});
  std::vector<double> const y{0.3, 0.4, 0.5};
  std::array<double, 3> const p{0.3, -0.7, 0.5};
  auto const targets = random_points(12, box, 11);
  for (Periodicity const periodicity : periodicities) {
    CAPTURE(name(periodicity));
    auto const two = [&](double h) {
      std::vector<double> x;
      for (double const side : {h / 2, -h / 2})
        for (std::size_t d = 0; d < 3; ++d) x.push_back(y[d] + side * p[d]);
      return solve(runtime, Kernel::laplace, periodicity, x, {1 / h, -1 / h}, targets);
    };
    auto limit = two(2e-3);
    auto const farther = two(4e-3);
    for (std::size_t i = 0; i < limit.size(); ++i) limit[i] += (limit[i] - farther[i]) / 3;
    auto const dipole = solve(runtime, Kernel::dipole, periodicity, y, {p[0], p[1], p[2]}, targets);
    CHECK(oracle::relative_error(limit, dipole, 10, 0, 1) < 1e-7);
    CHECK(oracle::relative_error(limit, dipole, 10, 1, 3) < 1e-7);
    CHECK(oracle::relative_error(limit, dipole, 10, 4, 6) < 1e-7);
  }
}

TEST_CASE("operators: a force dipole is a torque, a double layer, and a sink of its trace") {
  Runtime const runtime({.gpus = 0});
  std::size_t const count = 15;
  auto const x = random_points(count, box, 13), d = numbers(9 * count, 14), y = random_points(10, box, 15);
  std::vector<double> torques, traces, places, layers;
  for (std::size_t i = 0; i < count; ++i) {
    auto const at = [&](std::size_t l, std::size_t m) { return d[9 * i + 3 * l + m]; };
    for (std::size_t k = 0; k < 3; ++k) torques.push_back(at((k + 2) % 3, (k + 1) % 3) - at((k + 1) % 3, (k + 2) % 3));
    traces.push_back(at(0, 0) + at(1, 1) + at(2, 2));
    for (std::size_t m = 0; m < 3; ++m) {  // column by column
      places.insert(places.end(), &x[3 * i], &x[3 * i] + 3);
      for (std::size_t l = 0; l < 3; ++l) layers.push_back(-(at(l, m) + at(m, l)) / 4);
      for (std::size_t l = 0; l < 3; ++l) layers.push_back(l == m ? 1 : 0);
    }
  }
  for (Periodicity const periodicity : periodicities) {
    CAPTURE(name(periodicity));
    auto const whole = solve(runtime, Kernel::doublet, periodicity, x, d, y);
    auto parts = solve(runtime, Kernel::rotlet, periodicity, x, torques, y);
    auto const layer = solve(runtime, Kernel::stresslet, periodicity, places, layers, y),
               source = solve(runtime, Kernel::laplace, periodicity, x, traces, y);  // a source's flow is -grad q / r
    for (std::size_t t = 0; t < 10; ++t) {
      for (std::size_t c = 0; c < 13; ++c) parts[13 * t + c] += layer[13 * t + c];
      for (std::size_t j = 0; j < 3; ++j) {
        parts[13 * t + j] += source[10 * t + 1 + j];
        for (std::size_t m = 0; m < 3; ++m) parts[13 * t + 4 + 3 * j + m] += symmetric(&source[10 * t + 4], j, m);
      }
    }
    CHECK(oracle::relative_error(parts, whole, 13, 0, 3) < 1e-10);
    CHECK(oracle::relative_error(parts, whole, 13, 3, 1) < 1e-10);
    CHECK(oracle::relative_error(parts, whole, 13, 4, 9) < 1e-10);
  }
}

TEST_CASE("operators: a double layer on a closed surface moves what is inside as one, without pressure") {
  Runtime const runtime({.gpus = 0});
  std::array<double, 3> const q{0.4, -0.2, 0.7}, centre{0.5, 0.65, 0.4};
  double const radius = 0.2;
  std::vector<double> x, s;
  // Midpoints of equal steps in azimuth and Gauss-Legendre nodes of 24 points along the axis, by Newton's method.
  int const n = 24, around = 48;
  for (int i = 0; i < n; ++i) {
    double z = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int step = 0; step < 20; ++step) {
      double before = 1, here = z;
      for (int k = 2; k <= n; ++k) before = std::exchange(here, ((2 * k - 1) * z * here - (k - 1) * before) / k);
      slope = n * (z * here - before) / (z * z - 1);
      z -= here / slope;
    }
    double const weight = 2 / ((1 - z * z) * slope * slope) * 2 * pi / around * radius * radius,
                 r = std::sqrt(1 - z * z);
    for (int k = 0; k < around; ++k) {
      double const angle = 2 * pi * (k + 0.5) / around, normal[3] = {r * std::cos(angle), r * std::sin(angle), z};
      for (std::size_t d = 0; d < 3; ++d) x.push_back(centre[d] + radius * normal[d]);
      for (double const of_q : q) s.push_back(of_q);
      for (double const of_n : normal) s.push_back(weight * of_n);
    }
  }
  std::vector<double> const y{0.5, 0.65, 0.4, 0.53, 0.63, 0.44, 0.9, 0.2, 0.6, 0.1, 1.2, 0.1};
  for (Periodicity const periodicity : periodicities) {
    CAPTURE(name(periodicity));
    auto const u = solve(runtime, Kernel::stresslet, periodicity, x, s, y);
    double const volume = 4 * pi / 3 * radius * radius * radius,
                 mean = periodicity == Periodicity::xyz ? volume / (box[0] * box[1] * box[2]) : 0;
    for (std::size_t t = 0; t < 4; ++t) {
      for (std::size_t j = 0; j < 3; ++j)
        CHECK(u[13 * t + j] == doctest::Approx(8 * pi * q[j] * ((t < 2 ? 1 : 0) - mean)).epsilon(1e-7));
      for (std::size_t c = 3; c < 13; ++c) CHECK(std::abs(u[13 * t + c]) < 1e-5);
    }
  }
}

// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/green.hpp"

#include "tests/core/poisson/known_cases.hpp"
#include "tests/core/poisson/plain_solver.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace nearfar;
using plain::Array;

namespace {

constexpr std::array<bool, 3> all_open{};

GreenFunction green_for(PoissonMethod method, std::array<int, 3> const& grid, std::array<double, 3> const& box,
                        std::array<bool, 3> const& periodic = all_open) {
  return make_green_function(method, HockneyGreen::cell_average, grid, box, periodic);
}

std::size_t cells(std::array<int, 3> const& n) { return std::size_t(n[0]) * n[1] * n[2]; }

Array random_density(std::array<int, 3> const& n) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Array density(cells(n));
  for (auto& d : density) d = normal(random);
  return density;
}

}  // namespace

TEST_CASE("green: vico's table is that of whole complex transforms") {
  std::array<double, 3> const box{1, 0.8, 1.5};
  std::array<int, 3> const grid{10, 7, 12};
  auto const green = green_for(PoissonMethod::vico_dct, grid, box);
  auto const whole =
      plain::whole_green_table(grid, box, {green.axis[0].cut, green.axis[1].cut, green.axis[2].cut}, green.radius);
  CHECK(plain::relative_error(plain::green_table(green), whole) < 1e-14);
}

TEST_CASE("green: the kernel is cut beyond the farthest cells, and its images begin beyond them") {
  for (std::array<double, 3> const& box :
       {std::array{1.0, 1.0, 1.0}, std::array{1.0, 1.0, 4.0}, std::array{3.0, 0.1, 1.0}}) {
    std::array<int, 3> const grid{8, 9, 10};
    auto const green = green_for(PoissonMethod::vico, grid, box);
    CHECK(green.radius > std::hypot(box[0], box[1], box[2]));
    for (auto const& axis : green.axis) {
      CHECK(axis.cut % 2 == 0);
      CHECK(axis.cut * axis.spacing >= green.radius + axis.size * axis.spacing);
    }
  }
}

TEST_CASE("green: a point charge") {
  std::array<int, 3> const grid{20, 16, 24};
  std::array<double, 3> const box{1, 0.8, 1.2};
  double const h = 0.05;
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico_dct}) {
    auto const green = green_for(method, grid, box);
    Array density(cells(grid));
    density[(std::size_t(4) * grid[1] + 5) * grid[2] + 3] = 1 / (h * h * h);
    auto const phi = plain::solve(green, plain::green_table(green), density).potential;
    double worst = 0;
    for (int z = 9; z < grid[2]; ++z) {
      double const exact = 1 / (4 * pi<double> * h * (z - 3));
      worst = std::max(worst, std::abs(phi[(std::size_t(4) * grid[1] + 5) * grid[2] + std::size_t(z)] / exact - 1));
    }
    // hockney: that is what its samples are; vico: the point is as wide as a cell, and rings.
    CHECK(worst < (method == PoissonMethod::hockney ? 1e-13 : 0.02));
  }
}

TEST_CASE("green: solves are linear") {
  std::array<int, 3> const grid{9, 8, 11};
  auto const green = green_for(PoissonMethod::vico_dct, grid, {1, 2, 1.5});
  auto const table = plain::green_table(green);
  auto const a = random_density(grid);
  auto const b = known::gaussian(grid, {1, 2, 1.5}, {0.5, 1, 0.7}, 0.2).density;
  Array sum(a.size()), expected(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = 2 * a[i] - 3 * b[i];
  auto const of_a = plain::solve(green, table, a).potential, of_b = plain::solve(green, table, b).potential;
  for (std::size_t i = 0; i < a.size(); ++i) expected[i] = 2 * of_a[i] - 3 * of_b[i];
  CHECK(plain::relative_error(plain::solve(green, table, sum).potential, expected) < 1e-14);
}

TEST_CASE("green: directions that repeat, against lattices of free-space images") {
  // A dipole layer's worth of charge: neutral, so that images far away cancel, and the sum over images converges.
  std::array<int, 3> const grid{24, 24, 24};
  double const sigma = 0.07;
  auto const charges = [&](std::array<double, 3> const& box, double shift_x, double shift_y) {
    auto plus = known::gaussian(grid, box, {0.4 + shift_x, 0.5 + shift_y, 0.5}, sigma);
    auto const minus = known::gaussian(grid, box, {0.6 + shift_x, 0.5 + shift_y, 0.5}, sigma);
    for (std::size_t i = 0; i < plus.density.size(); ++i) {
      plus.density[i] -= minus.density[i];
      plus.potential[i] -= minus.potential[i];
    }
    return plus;
  };
  std::array<double, 3> const box{1, 1, 1};
  auto const base = charges(box, 0, 0);
  // Periodic along x: images along x, to 1 / r^3 of a dipole; the tail by Richardson's rule.
  auto const sum_x = [&](int images) {
    Array phi = base.potential;
    for (int i = 1; i <= images; ++i)
      for (int sign : {-1, 1}) {
        auto const image = charges(box, sign * i, 0).potential;
        for (std::size_t j = 0; j < phi.size(); ++j) phi[j] += image[j];
      }
    return phi;
  };
  Array const few = sum_x(20), many = sum_x(40);
  Array expected(many.size());
  for (std::size_t j = 0; j < many.size(); ++j) {
    double const a = 1 / (20.5 * 20.5), b = 1 / (40.5 * 40.5);
    expected[j] = many[j] + (many[j] - few[j]) * b / (a - b);
  }
  for (auto method : {PoissonMethod::vico_dct, PoissonMethod::hockney}) {
    auto const green = green_for(method, grid, box, {true, false, false});
    auto const phi = plain::solve(green, plain::green_table(green), base.density).potential;
    double const error = plain::relative_error(phi, expected);
    CHECK(error < (method == PoissonMethod::hockney ? 2e-2 : 1e-6));
  }
}

TEST_CASE("green: a layer, an array of lines, and a wave, whose potentials are known") {
  int const n = 32;
  std::array<double, 3> const box{1, 1, 1};
  double const sigma = 0.05;
  for (int open_axis = 0; open_axis < 3; ++open_axis) {
    // Periodic but along one direction: a layer, smeared by a Gaussian; phi'' = -rho.
    std::array<bool, 3> periodic{true, true, true};
    periodic[std::size_t(open_axis)] = false;
    Array density, exact;
    known::for_each_cell({n, n, n}, box, [&](std::array<double, 3> const& at) {
      double const t = at[std::size_t(open_axis)] - 0.5, s = t / (std::sqrt(2.0) * sigma);
      double const bell = std::exp(-s * s) / std::sqrt(2 * pi<double>) / sigma;
      density.push_back(bell);
      exact.push_back(-0.5 * t * std::erf(s) - sigma * sigma * bell);
    });
    auto const green = green_for(PoissonMethod::vico_dct, {n, n, n}, box, periodic);
    CHECK(plain::relative_error(plain::solve(green, plain::green_table(green), density).potential, exact) < 3e-8);
  }
  // Periodic along one direction: a wave along it times a Bessel mode is known only by quadrature; a line by -ln r.
  for (int axis = 0; axis < 3; ++axis) {
    std::array<bool, 3> periodic{};
    periodic[std::size_t(axis)] = true;
    Array density, exact;
    known::for_each_cell({n, n, n}, box, [&](std::array<double, 3> at) {
      at[std::size_t(axis)] = 0.5;
      double const r2 = std::pow(at[0] - 0.5, 2) + std::pow(at[1] - 0.5, 2) + std::pow(at[2] - 0.5, 2);
      double const u = r2 / (2 * sigma * sigma);
      density.push_back(std::exp(-u) / (2 * pi<double> * sigma * sigma));
      // -(ln(r^2) + E_1(u)) / (4 pi): a charge's worth of -ln(r) / (2 pi) outside.
      exact.push_back(-(std::log(r2) - std::expint(-u)) / (4 * pi<double>));
    });
    auto const green = green_for(PoissonMethod::vico_dct, {n, n, n}, box, periodic);
    CHECK(plain::relative_error(plain::solve(green, plain::green_table(green), density).potential, exact) < 3e-8);
  }
  // Periodic along all: a wave, and the mean has no effect.
  Array density, exact;
  known::for_each_cell({n, n, n}, box, [&](std::array<double, 3> const& at) {
    double const wave = std::cos(2 * pi<double> * (at[0] + 2 * at[1] - at[2]));
    density.push_back(wave + 5);
    exact.push_back(wave / (4 * pi<double> * pi<double> * 6));
  });
  for (auto method : {PoissonMethod::vico_dct, PoissonMethod::hockney}) {
    auto const green = green_for(method, {n, n, n}, box, {true, true, true});
    CHECK(plain::relative_error(plain::solve(green, plain::green_table(green), density).potential, exact) < 1e-13);
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a grid: a bunch of charge in a long box that grows. The plan stays the same; only the Green's
// function is made again for the new spacing, while the previous solve still runs.
#include <nearfar/nearfar.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

namespace {

constexpr std::array<int, 3> grid{32, 32, 96};
constexpr std::size_t cells = std::size_t(grid[0]) * grid[1] * grid[2];

/// A unit charge of width `sigma` in the middle of a box, and its potential.
struct Bunch {
  explicit Bunch(std::array<double, 3> const& spacing, double sigma) : density(cells), exact(cells), potential(cells) {
    std::size_t cell = 0;
    for (int x = 0; x < grid[0]; ++x)
      for (int y = 0; y < grid[1]; ++y)
        for (int z = 0; z < grid[2]; ++z, ++cell) {
          double const r = std::hypot((x + 0.5 - 0.5 * grid[0]) * spacing[0], (y + 0.5 - 0.5 * grid[1]) * spacing[1],
                                      (z + 0.5 - 0.5 * grid[2]) * spacing[2]);
          double const s = r / (std::numbers::sqrt2 * sigma);
          density[cell] = std::exp(-s * s) / std::pow(2 * std::numbers::pi * sigma * sigma, 1.5);
          exact[cell] = std::erf(s) / (4 * std::numbers::pi * r);
        }
  }
  double error() const {
    double difference = 0, all = 0;
    for (std::size_t i = 0; i < cells; ++i) {
      difference += (potential[i] - exact[i]) * (potential[i] - exact[i]);
      all += exact[i] * exact[i];
    }
    return std::sqrt(difference / all);
  }

  std::vector<double> density, exact, potential;
};

}  // namespace

int main() {
  std::array<double, 3> const spacing{1.0 / 32, 1.0 / 32, 1.0 / 32}, wider{1.2 / 32, 1.2 / 32, 1.0 / 32};
  Bunch bunch(spacing, 0.06), later(wider, 0.08);

  nearfar::Runtime runtime;
  nearfar::Poisson poisson(runtime, {.grid = grid, .box = {1, 1, 3}});
  auto first = poisson.submit(bunch.density, bunch.potential);  // returns at once
  poisson.set_spacing(wider);                                   // for the solves from here on
  auto second = poisson.submit(later.density, later.potential);
  first.wait();
  second.wait();
  std::printf("box 1 x 1 x 3: error below 1e-10: %s\n", bunch.error() < 1e-10 ? "yes" : "no");
  std::printf("box 1.2 x 1.2 x 3: error below 1e-10: %s\n", later.error() < 1e-10 ? "yes" : "no");
}

// SPDX-License-Identifier: BSD-3-Clause
// Poisson solves of Gaussian charges against Ewald sums of points: away from the charges they are the same, whatever
// the method and the directions that repeat.
#include "core/math/constants.hpp"
#include "tests/core/poisson/known_cases.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace nearfar;

namespace {

constexpr std::array<int, 3> grid{54, 45, 50};
constexpr std::array<double, 3> box{1.2, 1, 1.1};
constexpr double sigma = 0.05;
constexpr double away = 7 * sigma;  // where a Gaussian acts as a point to 1e-11

struct Charges {
  std::vector<double> places, strengths;

  /// Gaussians on the grid, with all images that reach it.
  std::vector<double> density(Periodicity periodic) const {
    std::size_t const cells = std::size_t(grid[0]) * grid[1] * grid[2];
    std::vector<double> sum(cells);
    for (std::size_t i = 0; i < strengths.size(); ++i)
      for (int image = 0; image < 27; ++image) {
        std::array<double, 3> at{};
        bool there = true;
        for (std::size_t d = 0; d < 3; ++d) {
          int const shift = image / (d == 0 ? 1 : d == 1 ? 3 : 9) % 3 - 1;
          there = there && (shift == 0 || int(d) < int(periodic));
          at[d] = places[3 * i + d] + shift * box[d];
        }
        if (!there) continue;
        auto const one = known::gaussian(grid, box, at, sigma).density;
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += strengths[i] * one[j];
      }
    return sum;
  }

  bool is_away(std::array<double, 3> const& at, Periodicity periodic) const {
    for (std::size_t i = 0; i < strengths.size(); ++i) {
      double squared = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        double r = std::abs(at[d] - places[3 * i + d]);
        if (int(d) < int(periodic)) r = std::min(r, box[d] - r);
        squared += r * r;
      }
      if (squared < away * away) return false;
    }
    return true;
  }
};

}  // namespace

TEST_CASE("poisson: as Ewald sums of points, in free space and with one, two and three directions that repeat") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  for (auto periodic : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz}) {
    CAPTURE(name(periodic));
    // Not neutral, so that the constants of open directions are seen too; all directions periodic need it to be.
    Charges const charges{{0.5, 0.45, 0.6, 0.7, 0.55, 0.5}, {1, periodic == Periodicity::xyz ? -1 : 0.5}};
    std::vector<double> targets;
    std::vector<std::size_t> cells;
    std::size_t cell = 0;
    known::for_each_cell(grid, box, [&](std::array<double, 3> const& at) {
      if (cell % 7 == 0 && charges.is_away(at, periodic)) {
        targets.insert(targets.end(), at.begin(), at.end());
        cells.push_back(cell);
      }
      ++cell;
    });
    REQUIRE(cells.size() > 100);
    Ewald ewald(runtime, {.kernel = Kernel::laplace,
                          .outputs = Output::potential | Output::gradient,
                          .periodicity = periodic,
                          .box = box,
                          .tolerance = 1e-10});
    std::vector<double> sums(4 * cells.size());
    ewald.submit(ewald.set_points(charges.places, targets), charges.strengths, sums).wait();

    auto const density = charges.density(periodic);
    for (auto method : {PoissonMethod::vico_dct, PoissonMethod::hockney}) {
      CAPTURE(name(method));
      Poisson poisson(runtime, {.method = method,
                                .grid = grid,
                                .box = box,
                                .periodic = {int(periodic) > 0, int(periodic) > 1, int(periodic) > 2},
                                .field = true});
      std::vector<double> phi(density.size()), field(3 * density.size());
      poisson.submit(density, phi, field).wait();
      double difference[2] = {}, all[2] = {};
      for (std::size_t i = 0; i < cells.size(); ++i)
        for (std::size_t m = 0; m < 4; ++m) {
          double const found = m == 0 ? phi[cells[i]] : -field[3 * cells[i] + m - 1];
          double const exact = sums[4 * i + m] / (4 * pi<double>);
          difference[m > 0] += (found - exact) * (found - exact);
          all[m > 0] += exact * exact;
        }
      bool const exact = method == PoissonMethod::vico_dct || periodic == Periodicity::xyz;
      CHECK(std::sqrt(difference[0] / all[0]) < (exact ? 1e-9 : 2e-3));
      // The gradient is taken of the density, so to speak: that ends smoothly where the box does.
      CHECK(std::sqrt(difference[1] / all[1]) < (exact ? 1e-9 : 1e-2));
    }
  }
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/ewald/crystals/crystal.hpp"
#include "tests/accuracy/solve.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <utility>
#include <vector>

using namespace nearfar;

// Ordered charges: every error of the method is the same for all ions, and the field it is compared with is small.
TEST_CASE("tolerance: a crystal is as good as random points") {
  Runtime const runtime;
  for (Split split : {Split::pswf, Split::gaussian})
    for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11})
      for (auto const& [m, shift] : {std::pair(20, 0.0), std::pair(32, 0.3)}) {
        double const error = rock_salt_error(runtime, m, shift, {.tolerance = tolerance, .split = split});
        CAPTURE(name(split));
        CAPTURE(m);
        CAPTURE(tolerance);
        CHECK(error < tolerance);
      }
}

TEST_CASE("tolerance: caesium chloride, whose cells lie alike between the points of the grid") {
  Runtime const runtime;
  for (Split split : {Split::pswf, Split::gaussian})
    for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11})
      for (auto const& [m, shift] : {std::pair(16, 0.25), std::pair(20, 0.0), std::pair(12, 0.1)}) {
        double const error = caesium_chloride_error(runtime, m, shift, {.tolerance = tolerance, .split = split});
        CAPTURE(name(split));
        CAPTURE(m);
        CAPTURE(tolerance);
        CHECK(error < tolerance);
      }
}

// Wurtzite: two cells of four ions, whose heights are on no planes of one distance.
TEST_CASE("tolerance: the eight ions of a hexagonal cell and the next, each with charge and dipole") {
  Runtime const runtime;
  constexpr double a = 3.12, height = 9.99;
  EwaldOptions options{.kernel = Kernel::charge_dipole, .outputs = Output::potential};
  options.cell = {{{a, 0, 0}, {-a / 2, a * std::sqrt(0.75), 0}, {0, 0, height}}};
  EwaldOptions finest = options;
  finest.tolerance = 1e-12;
  Ewald exact(runtime, finest);
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    double const displaced = std::pow(10, -8 + 6 * uniform(random));
    std::vector<double> x, strengths, found(8), right(8);
    for (auto const& [along, up, level] : {std::array{1 / 3.0, 2 / 3.0, 0.25},
                                           {2 / 3.0, 1 / 3.0, 0.75},
                                           {1 / 3.0, 2 / 3.0, 0.62},
                                           {2 / 3.0, 1 / 3.0, 0.12}})
      for (double cell : {0.0, 1.0}) {
        double const at[3] = {a * (along - up / 2), a * up * std::sqrt(0.75), height * (level + cell) / 2};
        for (double c : at) x.push_back(c + displaced * normal(random));
        double const sign = x.size() > 12 ? -1 : 1;
        for (double strength : {0.083, -0.84, -0.26, -1.5}) strengths.push_back(sign * strength);
      }
    options.tolerance = std::pow(10, -7 + 4 * uniform(random));
    Ewald ewald(runtime, options);
    auto const report = ewald.submit(ewald.set_points(x), strengths, found).report();
    exact.submit(exact.set_points(x), strengths, right).wait();
    double const error = oracle::relative_error(found, right);
    INFO("seed " << seed << ": " << error << " of " << options.tolerance << ", told " << report.sampled_error);
    CHECK(error <= std::max(options.tolerance, report.sampled_error));
  }
}

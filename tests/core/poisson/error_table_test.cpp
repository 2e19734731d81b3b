// SPDX-License-Identifier: BSD-3-Clause
#include "tests/core/poisson/error_table.hpp"

#include <cmath>

using namespace nearfar;
using namespace nearfar::known;

TEST_CASE("poisson: errors for a Gaussian are those of the table") {
  for (int i : {0, 1, 2}) check_gaussian(table[i]);
}

TEST_CASE("poisson: errors for a sphere are those of the table") {
  for (int i : {0, 1, 2}) check_sphere(sphere_table[i]);
}

TEST_CASE("poisson: hockney is second order with every kind of sample") {
  for (auto samples : {HockneyGreen::constant, HockneyGreen::cell_average, HockneyGreen::integrated}) {
    double const coarse = gaussian_errors(PoissonMethod::hockney, samples, 32, false).potential;
    double const fine = gaussian_errors(PoissonMethod::hockney, samples, 64, false).potential;
    CHECK(std::log2(coarse / fine) == doctest::Approx(2).epsilon(0.05).scale(0));
  }
}

TEST_CASE("poisson: vico converges faster than any power") {
  double before = 1;
  double order = 0;
  for (int n : {12, 16, 24, 32}) {
    double const error = gaussian_errors(PoissonMethod::vico_dct, HockneyGreen::cell_average, n, false).potential;
    double const now = std::log(before / error);
    if (n > 16) CHECK(now > order);
    order = now;
    before = error;
  }
}

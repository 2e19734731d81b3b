// SPDX-License-Identifier: BSD-3-Clause
// Virials in skewed cells: minus the derivative of the energy by each of the six strains.
#include "tests/accuracy/cells/cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace nearfar;
using namespace nearfar::cells;

namespace {

/// Fractions of charges of which the nearest are not very near, so that no pair outweighs all others.
Numbers fractions_apart(int m, unsigned seed) {
  Numbers s = random_points(std::size_t(m) * m * m, {1, 1, 1}, seed);
  for (std::size_t i = 0; i < s.size() / 3; ++i) {
    int const n = int(i), at[3] = {n / m / m, n / m % m, n % m};
    for (std::size_t d = 0; d < 3; ++d) s[3 * i + d] = (at[d] + 0.3 + 0.4 * s[3 * i + d]) / m;
  }
  return s;
}

SolveReport solve(Runtime const& runtime, Rows const& rows, Periodicity periodicity, double tolerance, Numbers const& x,
                  Numbers const& q) {
  EwaldOptions options = options_for(Kernel::laplace, rows, periodicity, tolerance);
  options.outputs = Output::potential | Output::gradient;
  options.virial = true;
  Ewald plan(runtime, options);
  Numbers u(4 * q.size());
  return plan.submit(plan.set_points(x), q, u).report();
}

/// x_a + strain x_b instead of x_a, of points and of rows.
void strain_all(std::size_t a, std::size_t b, double strain, Numbers& x, Rows& rows) {
  for (std::size_t i = 0; i < x.size(); i += 3) x[i + a] += strain * x[i + b];
  for (auto& row : rows) row[a] += strain * row[b];
}

void check_strains(Periodicity periodicity, bool neutral) {
  Runtime const runtime({.gpus = 0});
  constexpr double step = 1e-3;
  constexpr std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  Rows const rows = with_free_rows({{{1, 0.1, -0.05}, {0.4, 0.9, 0}, {-0.3, 0.25, 0.8}}}, periodicity);
  Rows open = rows;
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(periodicity, int(d))) open[d] = {};
  Numbers const x = at_fractions(fractions_apart(5, 3), rows);
  Numbers q = strengths_for(Kernel::laplace, x.size() / 3, 4);
  if (neutral) {
    double mean = 0;
    for (double const charge : q) mean += charge / double(q.size());
    for (double& charge : q) charge -= mean;
  }
  auto const virial = *solve(runtime, open, periodicity, 1e-11, x, q).virial;
  double largest = 0;
  for (double const w : virial) largest = std::max(largest, std::fabs(w));
  for (std::size_t i = 0; i < 6; ++i) {
    std::size_t a = pairs[i][0], b = pairs[i][1];
    if (is_periodic(periodicity, int(b)) && !is_periodic(periodicity, int(a))) std::swap(a, b);  // rows stay normal
    CAPTURE(a);
    CAPTURE(b);
    auto const energy = [&](double strain) {
      Numbers strained = x;
      Rows cell = open;
      strain_all(a, b, strain, strained, cell);
      return *solve(runtime, cell, periodicity, 1e-12, strained, q).energy;
    };
    double const near = energy(step) - energy(-step), far = energy(2 * step) - energy(-2 * step);
    CHECK(std::fabs(virial[i] + (8 * near - far) / (12 * step)) < 1e-8 * largest);
  }
}

}  // namespace

TEST_CASE("strains: in space") { check_strains(Periodicity::xyz, true); }
TEST_CASE("strains: in space, with a background") { check_strains(Periodicity::xyz, false); }
TEST_CASE("strains: of layers") { check_strains(Periodicity::xy, false); }
TEST_CASE("strains: of layers along other axes") { check_strains(Periodicity::yz, false); }
TEST_CASE("strains: of lines") {
  check_strains(Periodicity::x, false);
  check_strains(Periodicity::z, true);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/sampled_kernel.hpp"
#include "core/math/constants.hpp"
#include "core/math/quadrature.hpp"
#include "core/poisson/cell_average.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

namespace {

/// The average over a cell by midpoints of n^open parts.
double by_midpoints(int open, std::array<double, 3> const& edges, double kappa, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < (open > 1 ? n : 1); ++j)
      for (int k = 0; k < (open > 2 ? n : 1); ++k) {
        auto const at = [&](int d, int part) { return edges[std::size_t(d)] * ((part + 0.5) / n - 0.5); };
        sum += sampled_kernel(open, std::hypot(at(0, i), open > 1 ? at(1, j) : 0, open > 2 ? at(2, k) : 0), kappa);
      }
  return sum / std::pow(n, open);
}

/// The average of 1 / (4 pi r) over a cell that does not touch 0, by quadrature.
double by_quadrature(std::array<double, 3> const& centre, std::array<double, 3> const& edges) {
  GaussLegendre const rule(48);
  auto const at = [&](std::size_t d, long double t) { return centre[d] + edges[d] * (double(t) - 0.5); };
  return double(rule.integrate([&](long double x) {
    return rule.integrate([&](long double y) {
      return rule.integrate(
          [&](long double z) { return sampled_kernel(3, std::hypot(at(0, x), at(1, y), at(2, z)), 0); });
    });
  }));
}

double average(std::array<double, 3> const& c, std::array<double, 3> const& h) {
  return cell_average({c[0], c[1], c[2]}, {h[0], h[1], h[2]});
}

}  // namespace

TEST_CASE("averages over the central cell: a known constant, and sums over parts of the cell") {
  // The integral of 1 / r over the unit cube around 0.
  CHECK(4 * pi<double> * central_average(3, {1, 1, 1}, 0) == doctest::Approx(2.3800773639).epsilon(1e-10).scale(0));
  CHECK(central_average(3, {2, 2, 2}, 0) ==
        doctest::Approx(central_average(3, {1, 1, 1}, 0) / 2).epsilon(1e-14).scale(0));
  std::array<double, 3> const edges{0.7, 0.4, 1.1};
  for (int open : {1, 2, 3})
    for (double kappa : {0.0, 0.5, 12.0}) {
      if (open == 3 && kappa > 0) continue;
      int const parts = open == 1 ? 100000 : open == 2 ? 1500 : 100;
      CAPTURE(open);
      CAPTURE(kappa);
      CHECK(central_average(open, edges, kappa) ==
            doctest::Approx(by_midpoints(open, edges, kappa, parts)).epsilon(2e-4).scale(0));
    }
}

TEST_CASE("averages over other cells: by quadrature, near and far, and no step between closed form and quadrature") {
  for (std::array<double, 3> const& edges : {std::array{1.0, 1.0, 1.0}, std::array{0.3, 0.5, 1.0}}) {
    for (std::array<double, 3> const& at :
         {std::array{1.0, 0.0, 0.0}, std::array{3.0, 2.0, 1.0}, std::array{0.0, 0.0, 7.9}, std::array{8.1, 0.0, 0.0},
          std::array{20.0, 30.0, 0.0}}) {
      std::array<double, 3> const centre{at[0] * edges[0], at[1] * edges[1], at[2] * edges[2]};
      CHECK(average(centre, edges) == doctest::Approx(by_quadrature(centre, edges)).epsilon(2e-9).scale(0));
    }
  }
  double const below = average({7.9999999, 0, 0}, {1, 1, 1}), above = average({8.0000001, 0, 0}, {1, 1, 1});
  CHECK(below * 7.9999999 == doctest::Approx(above * 8.0000001).epsilon(1e-9).scale(0));
}

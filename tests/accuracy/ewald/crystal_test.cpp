// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace nearfar;

namespace {

/// Relative l2 error of Madelung's constant, times the lattice constant over the distance of neighbours, over all ions.
double madelung_error(Runtime const& runtime, std::vector<double> const& x, std::vector<double> const& q, double cells,
                      double constant, EwaldOptions options) {
  options.kernel = Kernel::laplace;
  Ewald plan(runtime, options);
  std::vector<double> phi(q.size());
  plan.submit(plan.set_points(x), q, phi).wait();
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += std::pow(-phi[i] * q[i] / cells / constant - 1, 2);
  return std::sqrt(sum / double(q.size()));
}

/// Of rock salt, m ions to an edge. The ions are put `shift` spacings from the origin.
double rock_salt_error(Runtime const& runtime, int m, double shift, EwaldOptions const& options) {
  std::vector<double> x, q;
  for (int i = 0; i < m * m * m; ++i) {
    int const at[3] = {i / m / m, i / m % m, i % m};
    for (int a : at) x.push_back((a + shift) / m);
    q.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  return madelung_error(runtime, x, q, m, 1.747564594633182, options);
}

/// Of caesium chloride, m cells to an edge.
double caesium_chloride_error(Runtime const& runtime, int m, double shift, EwaldOptions const& options) {
  std::vector<double> x, q;
  for (int i = 0; i < 2 * m * m * m; ++i) {
    int const cell = i / 2, at[3] = {cell / m / m, cell / m % m, cell % m};
    for (int a : at) x.push_back((a + 0.5 * (i % 2) + shift) / m);
    q.push_back(i % 2 == 0 ? 1 : -1);
  }
  return madelung_error(runtime, x, q, m, 2 / std::sqrt(3.0) * 1.76267477307099, options);
}

}  // namespace

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

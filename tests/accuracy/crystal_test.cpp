// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace nearfar;

namespace {

/// Relative l2 error of Madelung's constant over the ions of rock salt, m ions to an edge. The ions are put `shift`
/// spacings from the origin.
double rock_salt_error(Runtime const& runtime, int m, double shift, EwaldOptions options) {
  std::vector<double> x, q;
  for (int i = 0; i < m * m * m; ++i) {
    int const at[3] = {i / m / m, i / m % m, i % m};
    for (int a : at) x.push_back((a + shift) / m);
    q.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  options.kernel = Kernel::laplace;
  Ewald plan(runtime, options);
  std::vector<double> phi(q.size());
  plan.submit(plan.set_points(x), q, phi).wait();
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += std::pow(-phi[i] * q[i] / m / 1.747564594633182 - 1, 2);
  return std::sqrt(sum / double(q.size()));
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

// SPDX-License-Identifier: BSD-3-Clause
// Caesium chloride with something missing: no whole crystal, but its planes are still in step with the grid.
#include "tests/oracle/oracle.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace nearfar;

namespace {

enum class Missing { nothing, ions, cell, layer };

struct Crystal {
  std::vector<double> x, q;

  Crystal(int m, Missing missing) {
    for (int i = 0; i < 2 * m * m * m; ++i) {
      int const cell = i / 2, at[3] = {cell / m / m, cell / m % m, cell % m};
      if (missing == Missing::ions && (i == 5 || i == 6)) continue;
      if (missing == Missing::cell && cell == 7) continue;
      if (missing == Missing::layer && at[0] == 1) continue;
      for (int a : at) x.push_back((a + 0.5 * (i % 2) + 0.25) / m);
      q.push_back(i % 2 == 0 ? 1 : -1);
    }
  }

  std::vector<double> potential(Runtime const& runtime, EwaldOptions options) const {
    options.kernel = Kernel::laplace;
    Ewald plan(runtime, options);
    return potential(plan);
  }

  std::vector<double> potential(Ewald& plan) const {
    std::vector<double> phi(q.size());
    plan.submit(plan.set_points(x), q, phi).wait();
    return phi;
  }
};

}  // namespace

TEST_CASE(
    "tolerance: caesium chloride with ions, a cell or a layer missing, by plans made before or after it is seen") {
  Runtime const runtime;
  for (Missing missing : {Missing::ions, Missing::cell, Missing::layer})
    for (int m : {10, 11, 13, 16, 20}) {
      Crystal const crystal(m, missing);
      auto const exact = crystal.potential(runtime, {.tolerance = 1e-11});
      for (double tolerance : {3e-4, 1e-4, 1e-5, 1e-7})
        for (std::size_t count : {std::size_t(0), crystal.q.size()}) {
          auto const phi = crystal.potential(runtime, {.tolerance = tolerance, .count = count});
          CAPTURE(int(missing));
          CAPTURE(m);
          CAPTURE(tolerance);
          CAPTURE(count);
          CHECK(oracle::relative_error(phi, exact) < tolerance);
        }
    }
}

TEST_CASE("tolerance: a crystal by a plan that was made for points at random, or for another crystal") {
  Runtime const runtime;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform;
  for (int m : {10, 11, 13, 16, 20}) {
    Crystal const crystal(m, Missing::nothing), other(m + 1, Missing::nothing);
    std::vector<double> at_random(crystal.x.size());
    for (double& x : at_random) x = uniform(random);
    auto const exact = crystal.potential(runtime, {.tolerance = 1e-11});
    for (double tolerance : {3e-4, 1e-4, 1e-5, 1e-7})
      for (auto const& first : {at_random, other.x}) {
        Ewald plan(runtime, {.kernel = Kernel::laplace, .tolerance = tolerance});
        plan.set_points(first);
        CAPTURE(m);
        CAPTURE(tolerance);
        CHECK(oracle::relative_error(crystal.potential(plan), exact) < tolerance);
      }
  }
}

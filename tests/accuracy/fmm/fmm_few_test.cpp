// SPDX-License-Identifier: BSD-3-Clause
// A few charges among zeros: the norm of the field is that of few pairs, and so is the error, which a sample of the
// targets may miss.
#include "tests/accuracy/fmm/fmm_solve.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <string>

using namespace nearfar;

namespace {

/// `sources` of which `few` have a strength, and targets of their own; what the latter get, from those few alone.
struct Few {
  System system;
  std::vector<double> exact;

  Few(Kernel kernel, std::size_t sources, std::size_t few, std::size_t targets, unsigned seed)
      : system(random_system(kernel, {1, 1, 1}, sources, targets, seed, false)) {
    system.periodicity = Periodicity::none;
    std::size_t const numbers = system.strengths.size() / sources;
    System rest = system;
    rest.sources.resize(3 * few);
    rest.strengths.resize(numbers * few);
    exact = whole_reference(rest);
    std::fill(system.strengths.begin() + std::ptrdiff_t(numbers * few), system.strengths.end(), 0.0);
  }
};

}  // namespace

TEST_CASE("few strengths: some among 20,000 zeros, seen by some targets") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::laplace, Kernel::stresslet})
    for (std::size_t few : {1, 3, 10})
      for (std::size_t targets : {30, 100, 400}) {
        double worst = 0, estimate = 0;
        std::string what;
        for (unsigned seed = 1; seed <= 6; ++seed) {
          Few const given(kernel, 20000, few, targets, seed);
          for (double tolerance : {1e-3, 1e-5}) {
            FmmPlanning parameters;
            auto const found = solve_fmm(runtime, given.system, {.tolerance = tolerance}, &parameters);
            auto const e = errors_of(found, given.exact);
            double const error = kernel == Kernel::laplace ? std::max(e.potential, e.gradient)
                                                           : oracle::relative_error(found, given.exact);
            worst = std::max(worst, error / tolerance);
            estimate = std::max(estimate, parameters.estimated_error / tolerance);
          }
        }
        MESSAGE(name(kernel) << ": " << few << " strengths of 20,000, " << targets << " targets: " << worst
                             << " of the tolerance, estimated " << estimate);
        CHECK(worst <= 1);
        CHECK(estimate <= 1);
      }
}

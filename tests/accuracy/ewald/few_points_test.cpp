// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace nearfar;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
constexpr Periodicity periodicities[] = {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz};

/// The worse of potential and gradient.
double relative_error(System const& s, std::vector<double> const& result, std::vector<double> const& exact) {
  if (s.kernel != Kernel::laplace) return oracle::relative_error(result, exact);
  return std::max(oracle::relative_error(result, exact, 4, 0, 1), oracle::relative_error(result, exact, 4, 1, 3));
}

/// What a few points promise: the tolerance, and an estimate that is the right size. One target of a few is not a mean:
/// single sets of points may do better or worse than the estimate, but not the lot of them. Of one or two points the
/// estimate is that of weak fields, which most sets do not have: six to ten times the error for double layers. Nor does
/// it know that windows are fitted finer for few sources.
template <class T>
void check(Runtime const& runtime, Periodicity periodicity, Kernel kernel, std::vector<double> const& tolerances,
           unsigned seeds) {
  for (std::size_t count : {1, 2, 3, 5, 10, 20}) {
    double logarithms = 0;
    for (unsigned seed = 0; seed < seeds; ++seed) {
      auto system = random_system(kernel, {1, 1.2, .9}, count, count, 100 + 7 * seed, count > 1, sizeof(T) == 4);
      system.periodicity = periodicity;
      auto const whole = whole_reference(system);
      for (double tolerance : tolerances) {
        auto const outcome = solve<T>(runtime, system, {.tolerance = tolerance});
        auto const far = far_reference(system, whole, Split::pswf, outcome.parameters);
        double const estimate = outcome.parameters.estimated_error, error = relative_error(system, outcome.far, far);
        std::string const label = "periodic " + std::string(name(periodicity)) + ", " + std::to_string(count) +
                                  " points, seed " + std::to_string(seed) + ", " +
                                  describe(system, Split::pswf, outcome.parameters);
        CAPTURE(label);
        CHECK(relative_error(system, outcome.whole, whole) < tolerance);
        CHECK(error < tolerance);
        CHECK(estimate <= tolerance);
        CHECK(error < 3.5 * estimate);
        logarithms += std::log(estimate / error) / double(tolerances.size() * seeds);
      }
    }
    CAPTURE(name(periodicity));
    CAPTURE(name(kernel));
    CAPTURE(count);
    CHECK(std::exp(logarithms) > 1);
    CHECK(std::exp(logarithms) < (count <= 2 ? 90 : 40));
  }
}

}  // namespace

TEST_CASE("few points: tolerance and estimate, from a single pair to twenty sources") {
  Runtime const runtime;
  for (Periodicity periodicity : periodicities)
    for (Kernel kernel : kernels) check<double>(runtime, periodicity, kernel, {1e-3, 1e-6, 1e-9}, 2);
}

TEST_CASE("few points: single precision") {
  Runtime const runtime;
  for (Periodicity periodicity : periodicities)
    for (Kernel kernel : kernels) check<float>(runtime, periodicity, kernel, {1e-3, 1e-5}, 2);
}

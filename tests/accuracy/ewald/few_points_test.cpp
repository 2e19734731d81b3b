// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>
#include <nearfar/direct.hpp>

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
/// estimate is that of weak fields, which most sets do not have: six to ten times the error for double layers.
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
    CHECK(std::exp(logarithms) < (count <= 2 ? 60 : 30));
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

TEST_CASE("few points: Hessians of pairs of charges, whose errors at themselves are in phase") {
  Runtime const runtime;
  Outputs const outputs = Output::potential | Output::gradient | Output::hessian;
  auto const columns = std::size_t(result_components(Kernel::laplace, outputs));
  for (double tolerance : {1e-8})
    for (Split split : {Split::pswf, Split::gaussian})
      for (unsigned seed = 13; seed < 25; ++seed) {
        auto const system = random_system(Kernel::laplace, {1, 1, 1}, 2, 2, 500 + seed, false);
        Ewald plan(runtime, {.kernel = Kernel::laplace,
                             .outputs = outputs,
                             .periodicity = Periodicity::none,
                             .box = {0, 0, 0},
                             .tolerance = tolerance,
                             .split = split});
        auto const points = plan.set_points(std::span<double const>(system.sources));
        std::vector<double> result(2 * columns), exact(2 * columns);
        auto solve = plan.submit(points, system.strengths, result);
        double const told = solve.report().sampled_error;
        direct(runtime, Kernel::laplace, outputs, system.sources, system.sources, system.strengths, exact).wait();
        CAPTURE(seed);
        CAPTURE(name(split));
        CHECK(oracle::relative_error(result, exact, columns, 4, 6) < std::max(tolerance, told));
      }
}

TEST_CASE("few points: gradients of stresslets, of whose smooth part pairs in single precision lose digits") {
  Runtime const runtime;
  Outputs const outputs = Output::velocity | Output::gradient;
  auto const columns = std::size_t(result_components(Kernel::stresslet, outputs));
  for (unsigned seed = 0; seed < 8; ++seed) {
    auto const system = random_system(Kernel::stresslet, {1.4, 1.4, 1.3}, 20, 20, 700 + seed, false);
    double told = 0;
    auto const result = [&](double tolerance) {
      Ewald plan(runtime, {.kernel = Kernel::stresslet,
                           .outputs = outputs,
                           .box = {1.4, 1.4, 1.3},
                           .tolerance = tolerance,
                           .split = Split::gaussian});
      auto const points = plan.set_points(std::span<double const>(system.sources));
      std::vector<double> u(20 * columns);
      told = plan.submit(points, system.strengths, u).report().sampled_error;
      return u;
    };
    auto const finest = result(1e-11), found = result(1e-6);
    CAPTURE(seed);
    CHECK(oracle::relative_error(found, finest, columns, 3, 9) < std::max(1e-6, told));
  }
}

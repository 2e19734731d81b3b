// SPDX-License-Identifier: BSD-3-Clause
// Errors that add up in step, which a model of random errors does not see.
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>
#include <nearfar/direct.hpp>

#include <algorithm>
#include <vector>

using namespace nearfar;

TEST_CASE("in step: what two charges feel of themselves, in their Hessians") {
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

TEST_CASE("in step: what pairs in single precision lose of the smooth part, in gradients of stresslets") {
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

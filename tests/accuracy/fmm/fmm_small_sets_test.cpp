// SPDX-License-Identifier: BSD-3-Clause
// Small sets, which are checked at every target: what is right is not called wrong.
#include "tests/accuracy/fmm/fmm_solve.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace nearfar;

TEST_CASE("small sets: no plan is said to miss a tolerance that it keeps") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace})
    for (std::size_t count : {1, 2, 7, 30, 95, 300})
      for (double tolerance : {1e-4, 1e-8, 1e-10}) {
        System s = random_system(kernel, {1, 1, 1}, count, count, 4);
        s.periodicity = Periodicity::none;
        if (count == 1) s.targets = {0.1, 0.2, 0.3};
        auto const exact = whole_reference(s);
        FmmPlanning p;
        auto const u = solve_fmm(runtime, s, {.tolerance = tolerance}, &p);
        double const error = oracle::relative_error(u, exact);
        CAPTURE(name(kernel));
        CAPTURE(count);
        CAPTURE(tolerance);
        CAPTURE(error);
        CHECK(error <= tolerance);
        CHECK(p.estimated_error <= tolerance);
      }
}

TEST_CASE("small sets: pairs alone are as right as their arithmetic, whatever an order set by hand would leave") {
  Runtime const runtime;
  for (int depth : {0, 1}) {
    System s = random_system(Kernel::laplace, {1, 1, 1}, 30, 30, 4);
    s.periodicity = Periodicity::none;
    FmmPlanning p;
    auto const u = solve_fmm(runtime, s, {.tolerance = 1e-8, .order = 3, .depth = depth}, &p);
    CAPTURE(depth);
    CHECK(p.translations + p.evaluations + p.expansions == 0);
    CHECK(p.estimated_error == 0);
    CHECK(oracle::relative_error(u, whole_reference(s)) < 1e-13);
  }
}

TEST_CASE(
    "small sets: a gradient that is exactly zero has no relative error, and no plan is refined for it again and "
    "again") {
  Runtime const runtime;
  for (double const tolerance : {1e-6, 1e-3, 1e-4})
    for (std::size_t ions : {1, 2}) {
      bool const single = tolerance == 1e-4;
      // One charge, or caesium chloride: no field at any ion.
      std::vector<double> const x =
          ions == 1 ? std::vector<double>{0.3, 0.1, 0.7} : std::vector<double>{0.25, 0.25, 0.25, 0.75, 0.75, 0.75};
      FmmOptions const o{.kernel = Kernel::laplace,
                         .outputs = Output::potential | Output::gradient,
                         .periodicity = Periodicity::xyz,
                         .box = {1, 1, 1},
                         .tolerance = tolerance};
      auto const run = [&]<class T>(T) {
        BasicFmm<T> plan(runtime, o);
        std::vector<T> const points(x.begin(), x.end());
        std::vector<T> const q = ions == 1 ? std::vector<T>{1} : std::vector<T>{1, -1};
        std::vector<T> u(4 * ions);
        auto const set = plan.set_points(std::span<T const>(points));
        auto solve = plan.submit(set, q, u);
        solve.wait();
        CAPTURE(single);
        CAPTURE(ions);
        CHECK(solve.report().sampled_error <= o.tolerance);
        CHECK(solve.report().repeats <= 1);
        for (std::size_t d = 1; d < 4; ++d) CHECK(std::abs(u[d]) < 1e3 * double(std::numeric_limits<T>::epsilon()));
      };
      if (single) run(0.0f);
      else run(0.0);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
// Far parts in single precision inside double solves. Uniform points drown rounding on the grid in their field; where
// points crowd, or lie in a crystal, it does not.
#include "tests/accuracy/cases.hpp"
#include "tests/accuracy/ewald/crystals/crystal.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <vector>

using namespace nearfar;
using namespace nearfar::accuracy;

TEST_CASE("far part in single precision: the tolerance is kept, however points lie") {
  Runtime const runtime;
  Judge judge(2000, 60, 1);
  for (Distribution distribution : every_distribution)
    for (Periodicity periodicity : {Periodicity::xyz, Periodicity::none})
      for (Kernel kernel : {Kernel::stokes, Kernel::laplace}) {
        Case const c{.kernel = kernel,
                     .periodicity = periodicity,
                     .distribution = distribution,
                     .tolerance = 1e-5,
                     .far_precision = FarPrecision::single};
        Errors const e = judge.errors(runtime, c);
        INFO((describe(c)));
        CHECK(e.parameters.far_in_single);
        CHECK(e.whole < c.tolerance);
        CHECK(e.far < c.tolerance);
      }
}

TEST_CASE("far part in single precision: crystals") {
  Runtime const runtime;
  for (double tolerance : {1e-3, 1e-5})
    for (double shift : {0., 0.25, 0.37}) {
      CAPTURE(tolerance);
      CAPTURE(shift);
      EwaldOptions const options{.tolerance = tolerance, .far_precision = FarPrecision::single};
      CHECK(rock_salt_error(runtime, 16, shift, options) < tolerance);
      CHECK(caesium_chloride_error(runtime, 12, shift, options) < tolerance);
    }
}

TEST_CASE("far part in single precision: what it is told, and that an option turns it off") {
  Runtime const runtime;
  std::vector<double> x, f;
  for (int i = 0; i < 3000; ++i)
    x.push_back(i * 0.618033988749895 - int(i * 0.618033988749895)), f.push_back(i % 7 - 3);
  auto const solved = [&](FarPrecision far, EwaldPlanning& parameters) {
    Ewald plan(runtime, {.tolerance = 1e-4,
                         .far_precision = far,
                         .split_parameter = 12.,
                         .grid = std::array{32, 32, 32},
                         .window_points = 8});
    std::vector<double> u(x.size());
    plan.submit(plan.set_points(x), f, u).wait();
    parameters = plan.parameters();
    return u;
  };
  EwaldPlanning single, in_double;
  auto const a = solved(FarPrecision::single, single), b = solved(FarPrecision::double_, in_double);
  CHECK(single.far_in_single);
  CHECK(!in_double.far_in_single);
  CHECK(single.bytes < in_double.bytes);
  CHECK(a != b);
  CHECK(oracle::relative_error(a, b) < 2e-6);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"
#include "tests/oracle/golden.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace nearfar;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
constexpr Split splits[] = {Split::pswf, Split::gaussian};

System golden_system(Kernel kernel) {
  return {kernel, {1, 1, 1}, golden::points, golden::points, golden::strengths(kernel)};
}

}  // namespace

TEST_CASE("ewald: golden vectors") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Split split : splits) {
      auto const system = golden_system(kernel);
      auto const outcome = solve(runtime, system, {.tolerance = 1e-12, .split = split});
      check_error(describe(system, split, outcome.parameters), system, outcome.whole, golden::periodic.rows(kernel),
                  1e-11);
    }
}

TEST_CASE("ewald: lattice constants: of NaCl, of one charge in its background, of one force") {
  Runtime const runtime;
  System nacl{Kernel::laplace, {1, 1, 1}, {}, {0, 0, 0}, {}};
  for (int i = 0; i < 8; ++i) {
    for (int d : {i & 1, i >> 1 & 1, i >> 2 & 1}) nacl.sources.push_back(0.5 * d);
    nacl.strengths.push_back(((i & 1) + (i >> 1 & 1) + (i >> 2 & 1)) % 2 ? -1 : 1);
  }
  System const charge{Kernel::laplace, {1, 1, 1}, {.3, .4, .5}, {.3, .4, .5}, {1}};
  System const force{Kernel::stokeslet, {1, 1, 2}, {.3, .4, .5}, {.3, .4, .5}, {1, 0, 1}};
  for (Split split : splits) {
    CHECK(solve_whole(runtime, nacl, {.tolerance = 1e-12, .split = split})[0] ==
          doctest::Approx(-2 * 1.747564594633182).epsilon(1e-11));
    CHECK(solve_whole(runtime, charge, {.tolerance = 1e-12, .split = split})[0] ==
          doctest::Approx(-2.837297479480620).epsilon(1e-11));
    auto const u = solve_whole(runtime, force, {.tolerance = 1e-12, .split = split});
    CHECK(u[0] == doctest::Approx(-1.6617414213616).epsilon(1e-11));
    CHECK(std::abs(u[1]) < 1e-11);
    CHECK(u[2] == doctest::Approx(-3.8998843990860).epsilon(1e-11));
  }
}

TEST_CASE("ewald: boxes that are not cubes, targets that are not sources") {
  Runtime const runtime;
  for (oracle::Box const& box : {oracle::Box{1, 1.2, .9}, {3, .7, 1.1}, {17, 25, 20}})
    for (Kernel kernel : kernels) {
      auto const system = random_system(kernel, box, 3000, 400, 3, false);
      auto const reference = whole_reference(system);
      for (Split split : splits) {
        auto const outcome = solve(runtime, system, {.tolerance = 1e-8, .split = split});
        auto const label = describe(system, split, outcome.parameters) + " box " + std::to_string(box[0]) + " " +
                           std::to_string(box[1]) + " " + std::to_string(box[2]);
        check_error(label + ", whole", system, outcome.whole, reference, 1e-8);
        check_error(label + ", far", system, outcome.far, far_reference(system, reference, split, outcome.parameters),
                    1e-8);
      }
    }
}

TEST_CASE("ewald: the cutoff does not matter") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto const system = random_system(kernel, {1, 1, 1}, 1000, 300, 5);
    auto const reference = whole_reference(system);
    for (Split split : splits)
      for (double cutoff : {0.2, 0.3, 0.4}) {
        auto const outcome = solve(runtime, system, {.tolerance = 1e-12, .split = split, .cutoff = cutoff});
        CHECK(outcome.parameters.cutoff == cutoff);
        check_error(describe(system, split, outcome.parameters), system, outcome.whole, reference, 1e-11);
      }
  }
}

TEST_CASE("ewald: points in a cluster, and few points") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto cluster = random_system(kernel, {1, 1, 1}, 2000, 300, 7);
    for (auto* points : {&cluster.sources, &cluster.targets})
      for (double& x : *points) {
        x = 0.97 + 0.05 * x;  // a small cube across the corner of the cell
        if (x >= 1) x -= 1;
      }
    auto const one = random_system(kernel, {1, 1, 1}, 1, 50, 8, false);  // one target may sit at a zero of phi
    auto const two = random_system(kernel, {1, 2, 1}, 2, 2, 9);
    for (auto const& system : {cluster, one, two}) {
      auto const outcome = solve(runtime, system, {.tolerance = 1e-6});
      auto const count = std::to_string(system.sources.size() / 3) + " points";
      check_error(describe(system, Split::pswf, outcome.parameters) + " " + count, system, outcome.whole,
                  whole_reference(system), 1e-6);
    }
  }
}

TEST_CASE("ewald: single precision on a large grid") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet}) {
    auto const system = random_system(kernel, {1, .2, .2}, 3000, 200, 10, true, true);
    auto const reference = whole_reference(system);
    auto const outcome = solve<float>(runtime, system, {.tolerance = 1e-5, .cutoff = .013});
    auto const label = describe(system, Split::pswf, outcome.parameters);
    CHECK(outcome.parameters.grid[0] >= 350);
    check_error(label + ", whole", system, outcome.whole, reference, 1e-5);
    // Coordinates on the grid are formed in double, and the estimate counts on that.
    check_error(label + ", far", system, outcome.far, far_reference(system, reference, Split::pswf, outcome.parameters),
                outcome.parameters.estimated_error);
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// Ranks with one GPU each, as mpirun starts them on a machine that has as many: GPUs run all stages of every solver.
#include "tasks/ewald/plan.hpp"
#include "tests/core/poisson/plain_solver.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// In the unit box, also where that is open.
Problem<double> points_of(std::size_t count, Kernel kernel) {
  Problem<double> p(count, strength_components(kernel));
  for (double& x : p.x) x = (x + 0.1) / 1.2;
  return p;
}

}  // namespace

TEST_CASE("Ewald sums: those of the portable bodies on one rank") {
  struct Case {
    Kernel kernel;
    bool gradient;
    Periodicity periodicity;
  };
  constexpr std::size_t count = 30'000;
  for (auto const& c : {Case{Kernel::stokes, false, Periodicity::xyz}, Case{Kernel::laplace, true, Periodicity::xyz},
                        Case{Kernel::stokeslet, false, Periodicity::none}}) {
    CAPTURE(name(c.kernel));
    EwaldOptions o{.kernel = c.kernel, .gradient = c.gradient, .periodicity = c.periodicity, .tolerance = 1e-4};
    o.near_precision = NearPrecision::double_;
    o.far_precision = FarPrecision::double_;
    o.cutoff = 0.07;
    auto const p = points_of(count, c.kernel);
    std::vector<double> found(count * std::size_t(result_components(c.kernel, c.gradient))), expected = found;
    Ewald plan(runtime(), o);
    auto const points = plan.set_points(given(p.x));
    for (int twice = 0; twice < 2; ++twice) plan.submit(points, given(p.f), taken(found)).wait();
    EwaldParameters parameters = plan.parameters();
    CHECK(parameters.on_gpus);
    CHECK(parameters.halo_planes > 0);
    if (runtime().rank() > 0) continue;
    o.implementation = Implementation::portable;
    parameters.on_gpus = false;
    auto const portable = std::make_shared<detail::EwaldPlan<double>>(runtime().shared(), o, parameters);
    auto const set = portable->set_points(detail::OnHost<double>(p.x), detail::OnHost<double>({}), true);
    portable->submit(set, p.f, expected, Part::whole).wait();
    CHECK(relative_difference(found, expected) < 1e-12);
  }
}

TEST_CASE("multipoles: the direct sum, to the tolerance") {
  std::size_t const count = 50'000;
  auto const p = points_of(count, Kernel::laplace);
  std::vector<double> found(count), expected(count);
  Fmm plan(runtime(), {.kernel = Kernel::laplace, .tolerance = 1e-6});
  auto const points = plan.set_points(given(p.x));
  plan.submit(points, given(p.f), taken(found)).wait();
  CHECK(points.parameters().on_gpus);
  direct(runtime(), Kernel::laplace, false, given(p.x), given(p.x), given(p.f), taken(expected)).wait();
  if (runtime().rank() == 0) CHECK(relative_difference(found, expected) < 1e-6);
}

TEST_CASE("Poisson: the textbook's") {
  PoissonOptions const o{.grid = {36, 40, 32}, .box = {1, 1.5, 0.8}, .field = true};
  std::size_t const cells = std::size_t(o.grid[0]) * std::size_t(o.grid[1]) * std::size_t(o.grid[2]);
  std::vector<double> density(cells), potential(cells), field(3 * cells);
  for (std::size_t i = 0; i < cells; ++i) density[i] = std::sin(0.37 * double(i)) + (i % 7 == 0 ? 1 : 0);
  Poisson plan(runtime(), o);
  CHECK(plan.parameters().on_gpus);
  plan.submit(given(density), taken(potential), taken(field)).wait();
  if (runtime().rank() > 0) return;
  auto const green = make_green_function(o.method, o.green, o.grid, o.box, o.periodic);
  auto const expected = plain::solve(green, plain::green_table(green), density, false);
  CHECK(plain::relative_error(potential, expected.potential) < 1e-13);
}

int main(int count, char** arguments) {
  constexpr int skipped = 77;  // as ctest takes it
  for (auto const& worker : runtime().workers())
    if (worker.kind != "cpu") return doctest::Context(count, arguments).run();
  std::puts("no GPU worker could be started; skipped");
  return skipped;
}

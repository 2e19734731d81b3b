// SPDX-License-Identifier: BSD-3-Clause
// Ranks with one GPU each, as mpirun starts them on a machine that has as many: GPUs run all stages of every solver.
#include "tasks/ewald/plan.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tests/core/poisson/plain_solver.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/gather.hpp>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

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

TEST_CASE("Ewald sums: those of the portable bodies on one rank, whoever gave the points") {
  struct Case {
    Kernel kernel;
    Outputs outputs;
    Periodicity periodicity;
    std::size_t least_bytes;  // of arrays that go through pinned memory
  };
  constexpr std::size_t count = 30'000;
  Dealt const dealt(count);
  auto& least_bytes = detail::StagedRows<double>::least_bytes;
  auto const usual = least_bytes;
  for (auto const& c : {Case{Kernel::stokes, {}, Periodicity::xyz, 0},
                        Case{Kernel::laplace, Output::potential | Output::gradient, Periodicity::xyz, usual},
                        Case{Kernel::stokeslet, {}, Periodicity::none, usual}}) {
    CAPTURE(name(c.kernel));
    least_bytes = c.least_bytes;
    detail::StagedRows<double>::least_bytes_of_piece = c.least_bytes / 4;
    EwaldOptions o{.kernel = c.kernel, .outputs = c.outputs, .periodicity = c.periodicity, .tolerance = 1e-4};
    o.near_precision = NearPrecision::double_;
    o.far_precision = FarPrecision::double_;
    o.cutoff = 0.07;
    auto const p = points_of(count, c.kernel);
    auto const x = dealt.all(p.x), f = dealt.all(p.f);
    auto const row = std::size_t(result_components(c.kernel, c.outputs));
    std::vector<double> found(count * row), found_mine(dealt.count() * row), expected(count * row);
    Ewald plan(runtime(), o);
    auto const points = plan.set_points(given(x));
    for (int twice = 0; twice < 2; ++twice) plan.submit(points, given(f), taken(found)).wait();
    auto const dealt_points = plan.set_points(dealt.mine(p.x));
    for (int twice = 0; twice < 2; ++twice) plan.submit(dealt_points, dealt.mine(p.f), std::span(found_mine)).wait();
    EwaldPlanning parameters = plan.parameters();
    CHECK(parameters.on_gpus);
    if (runtime().ranks() <= 2) CHECK((parameters.halo_planes > 0) == (runtime().ranks() > 1));  // else planes are few
    o.implementation = Implementation::portable;
    parameters.on_gpus = false;
    auto const portable = std::make_shared<detail::EwaldPlan<double>>(runtime().shared(), o, parameters);
    auto const set = portable->set_points(detail::OnHost<double>(x), detail::OnHost<double>({}), Targets::sources);
    portable->submit({set, f, expected}).wait();
    if (runtime().rank() == 0) CHECK(relative_difference(found, expected) < 1e-12);
    auto const begin = expected.begin() + std::ptrdiff_t(dealt.first() * row);
    if (dealt.count() > 0)
      CHECK(relative_difference(found_mine, {begin, begin + std::ptrdiff_t(found_mine.size())}) < 1e-12);
  }
  least_bytes = usual;
}

TEST_CASE("multipoles: the direct sum, to the tolerance, whoever gave the points") {
  std::size_t const count = 50'000;
  Dealt const dealt(count);
  auto const p = points_of(count, Kernel::laplace);
  auto const x = dealt.all(p.x), f = dealt.all(p.f);
  std::vector<double> found(count), found_mine(dealt.count()), expected_mine(dealt.count()), expected(count);
  Fmm plan(runtime(), {.kernel = Kernel::laplace, .tolerance = 1e-6});
  auto const points = plan.set_points(given(x));
  plan.submit(points, given(f), taken(found)).wait();
  CHECK(points.parameters().on_gpus);
  direct(runtime(), Kernel::laplace, {}, given(x), given(x), given(f), taken(expected)).wait();
  if (runtime().rank() == 0) CHECK(relative_difference(found, expected) < 1e-6);

  std::vector<double> const x_mine = dealt.mine(p.x), f_mine = dealt.mine(p.f);
  plan.submit(plan.set_points(x_mine), f_mine, found_mine).wait();
  direct(runtime(), Kernel::laplace, {}, x_mine, x_mine, f_mine, expected_mine).wait();
  if (dealt.count() > 0) CHECK(relative_difference(found_mine, expected_mine) < 1e-6);
}

TEST_CASE("a result out of range: the error names the target by its number") {
  constexpr std::size_t count = 2000;
  Dealt const dealt(count);
  auto p = points_of(count, Kernel::laplace);
  for (double& f : p.f) f = 1e308;
  std::vector<double> found(dealt.count());
  Ewald plan(runtime(), {.kernel = Kernel::laplace, .tolerance = 1e-4});
  auto const points = plan.set_points(dealt.mine(p.x));
  auto solve = plan.submit(points, dealt.mine(p.f), std::span(found));
  CHECK_THROWS_WITH_AS(solve.wait(), doctest::Contains("scale the strengths down"), Error);
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
  constexpr int skipped = 77;     // as ctest takes it
  setenv("STARPU_NCPU", "2", 0);  // with many cores, plans for so few points would leave GPUs out
  auto const workers = runtime().workers();
  bool const mine =
      std::any_of(workers.begin(), workers.end(), [](auto const& worker) { return worker.kind != "cpu"; });
  // All ranks or none: one that went on alone would wait for the others.
  if (sum_of_ranks(runtime(), mine ? 1 : 0) == runtime().ranks()) return doctest::Context(count, arguments).run();
  std::puts("not every rank has a GPU worker; skipped");
  return skipped;
}

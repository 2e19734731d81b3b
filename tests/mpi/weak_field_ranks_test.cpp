// SPDX-License-Identifier: BSD-3-Clause
// Ewald sums over ranks of fields that cancel: what misses the tolerance is summed again by all, or told by all.
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Rock salt, each ion a little out of place: what pulls at it is next to nothing, which no plan counts on.
struct WeakField {
  static constexpr std::size_t cells = 10, ions = cells * cells * cells;
  std::vector<double> x, q;

  WeakField() : x(Problem<double>(ions, 1, 5).x) {
    for (std::size_t i = 0; i < ions; ++i) {
      std::size_t const at[] = {i / (cells * cells), i / cells % cells, i % cells};
      for (std::size_t d = 0; d < 3; ++d)
        x[3 * i + d] = (double(at[d]) + 0.5 + 1e-4 * (x[3 * i + d] - 0.5)) / double(cells);
      q.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
    }
  }
};

double gradient_error(std::vector<double> const& found, std::vector<double> const& exact) {
  return relative_error(found, exact, 4, 1);
}

}  // namespace

TEST_CASE("a field that is much weaker than plans count on is summed again, by all ranks") {
  WeakField const field;
  constexpr double tolerance = 1e-5;
  EwaldOptions options{
      .kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = tolerance};
  Dealt const dealt(field.ions);
  std::vector<double> const x = dealt.mine(field.x), q = dealt.mine(field.q);
  std::vector<double> exact(4 * dealt.count()), found(exact.size()), other(4 * field.ions);
  Ewald plan(runtime(), options);
  auto const points = plan.set_points(x);
  auto solve = plan.submit(points, q, found);
  int called = 0;
  solve.then([&] { ++called; });
  auto const report = solve.report();
  CHECK(called == 1);
  CHECK(report.repeats > 0);  // else this tells nothing
  CHECK(report.sampled_error > 0);
  CHECK(report.sampled_error <= tolerance);
  CHECK(agreed(report.sampled_error));
  CHECK(agreed(report.repeats));
  CHECK(agreed(plan.parameters().estimated_error));
  CHECK(plan.submit(points, q, found).report().repeats == 0);

  Ewald better(runtime(),
               {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-12});
  better.submit(better.set_points(x), q, exact).wait();
  if (!exact.empty()) CHECK(gradient_error(found, exact) <= tolerance);

  // All of rank 0, in the plan that knows, and summed for targets of the last rank.
  CHECK(plan.submit(plan.set_points(given(field.x)), given(field.q), taken(other)).report().repeats == 0);
  Ewald apart(runtime(), options);
  bool const last = runtime().rank() == runtime().ranks() - 1;
  auto const to = last ? std::span<double const>(field.x) : std::span<double const>();
  std::vector<double> of_last(last ? other.size() : 0), best(of_last.size());
  auto const third = apart.submit(apart.set_points(given(field.x), to), given(field.q), of_last).report();
  CHECK(third.repeats > 0);
  CHECK(third.sampled_error <= tolerance);
  better.submit(better.set_points(given(field.x), to), given(field.q), best).wait();
  if (last) CHECK(gradient_error(of_last, best) <= tolerance);
}

TEST_CASE("where fields are too weak for a precision, all ranks say by how much the tolerance is missed") {
  WeakField const field;
  Dealt const dealt(field.ions);
  auto const mine = [&](std::vector<double> const& rows) {
    auto const of_rank = dealt.mine(rows);
    return std::vector<float>(of_rank.begin(), of_rank.end());
  };
  BasicEwald<float> plan(
      runtime(), {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-4});
  std::vector<float> u(4 * dealt.count());
  auto const report = plan.submit(plan.set_points(mine(field.x)), mine(field.q), u).report();
  CHECK(report.sampled_error > 1e-4);
  CHECK(agreed(report.sampled_error));
  CHECK(agreed(report.repeats));
}

TEST_CASE("of a free direction too, weak fields are summed again by all ranks") {
  WeakField const field;
  constexpr double tolerance = 1e-5;
  Dealt const dealt(field.ions);
  std::vector<double> const x = dealt.mine(field.x), q = dealt.mine(field.q);
  std::vector<double> found(4 * dealt.count()), exact(found.size());
  auto const sum = [&](double to, std::vector<double>& result) {
    Ewald plan(runtime(), {.kernel = Kernel::laplace,
                           .outputs = Output::potential | Output::gradient,
                           .periodicity = Periodicity::xy,
                           .box = {1, 1, 0},
                           .tolerance = to});
    return plan.submit(plan.set_points(x), q, result).report();
  };
  auto const report = sum(tolerance, found);
  sum(1e-12, exact);
  CHECK(report.repeats > 0);  // else this tells nothing
  CHECK(report.sampled_error <= tolerance);
  CHECK(agreed(report.sampled_error));
  if (!exact.empty()) CHECK(gradient_error(found, exact) <= tolerance);
}

TEST_CASE("the tolerance of the whole: all ranks go on with the same coarser plan") {
  constexpr std::size_t pairs = 1000;
  constexpr double tolerance = 1e-5;
  Problem<double> const places(pairs, 1, 7);
  std::vector<double> x, q;
  for (std::size_t i = 0; i < pairs; ++i)
    for (double sign : {1.0, -1.0}) {
      for (std::size_t d = 0; d < 3; ++d) x.push_back(places.x[3 * i + d] + 0.01 * sign);
      q.push_back(sign);
    }
  EwaldOptions options{.kernel = Kernel::laplace,
                       .outputs = Output::potential | Output::gradient,
                       .tolerance = tolerance,
                       .tolerance_of = ToleranceOf::whole};
  Dealt const dealt(2 * pairs);
  auto const mine = dealt.mine(x), charges = dealt.mine(q);
  std::vector<double> exact(4 * dealt.count()), found(exact.size());
  Ewald plan(runtime(), options);
  auto const points = plan.set_points(mine);
  plan.submit(points, charges, found).wait();
  EwaldPlanning const first = plan.parameters();
  plan.submit(points, charges, found).wait();
  EwaldPlanning const later = plan.parameters();
  CHECK(later.near_seconds + later.far_seconds < first.near_seconds + first.far_seconds);
  CHECK(agreed(later.estimated_error));
  CHECK(agreed(later.grid[0]));
  options.tolerance = 1e-12;
  Ewald better(runtime(), options);
  better.submit(better.set_points(mine), charges, exact).wait();
  if (!exact.empty()) CHECK(gradient_error(found, exact) <= tolerance);
}

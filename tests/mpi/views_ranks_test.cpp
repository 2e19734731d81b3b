// SPDX-License-Identifier: BSD-3-Clause
// Ranks give rows or views, each as its own memory is: the sums are the same, and no rank waits for another's message.
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Odd ranks give views of every other row of an array, the others rows.
template <class T>
struct Mixed {
  std::vector<T> rows, spread;

  explicit Mixed(std::vector<T> const& x) : rows(x), spread(2 * x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) spread[2 * i - i % 3] = x[i];
  }
  RowsIn view() const { return RowsIn::strided(spread.data(), rows.size() / 3, 3, 6 * sizeof(T)); }
  bool as_view() const { return runtime().rank() % 2 == 1; }
};

template <class Plan, class T>
auto placed(Plan& plan, Mixed<T> const& x, Mixed<T> const& y) {
  return x.as_view() ? plan.set_points(x.view(), y.view())
                     : plan.set_points(std::span<T const>(x.rows), std::span<T const>(y.rows));
}

template <class Plan, class Points, class T>
auto moved(Plan& plan, Points const& before, Mixed<T> const& x, Mixed<T> const& y) {
  return x.as_view() ? plan.move_points(before, x.view(), y.view())
                     : plan.move_points(before, std::span<T const>(x.rows), std::span<T const>(y.rows));
}

template <class T, class Plan>
void expect_same_sums(Plan plan) {
  Problem<T> const all(300, 1, 1), others(200, 1, 2);
  Dealt const from(300), to(200);
  std::vector<T> const q = from.mine(all.f);
  std::vector<T> x = from.mine(all.x), y = to.mine(others.x);
  auto const potentials = [&](auto const& points) {
    std::vector<T> phi(to.count());
    plan.submit(points, std::span<T const>(q), std::span<T>(phi)).wait();
    return phi;
  };
  auto mixed = placed(plan, Mixed<T>(x), Mixed<T>(y));
  CHECK(potentials(mixed) == potentials(plan.set_points(std::span<T const>(x), std::span<T const>(y))));
  for (auto* points : {&x, &y})
    for (T& coordinate : *points) coordinate = T(0.01) + T(0.98) * coordinate;
  mixed = moved(plan, mixed, Mixed<T>(x), Mixed<T>(y));
  CHECK(potentials(mixed) == potentials(plan.set_points(std::span<T const>(x), std::span<T const>(y))));
}

}  // namespace

TEST_CASE_TEMPLATE("some ranks give rows, others views", T, double, float) {
  expect_same_sums<T>(BasicEwald<T>(runtime(), {.kernel = Kernel::laplace, .tolerance = 1e-4}));
  expect_same_sums<T>(BasicFmm<T>(
      runtime(), {.kernel = Kernel::laplace, .periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-4}));
}

TEST_CASE("some ranks give floats, others views of doubles") {
  Problem<double> const all(300, 1, 1);
  Dealt const dealt(300);
  std::vector<double> x = dealt.mine(all.x), q = dealt.mine(all.f), sums(dealt.count());
  for (double& coordinate : x) coordinate += 10;
  std::vector<float> const singles(x.begin(), x.end()), strengths(q.begin(), q.end());
  Mixed<double> const doubles(x);
  FmmSingle plan(runtime(), {.kernel = Kernel::laplace, .tolerance = 1e-3});
  auto const points = doubles.as_view() ? plan.set_points(doubles.view()) : plan.set_points(singles);
  std::vector<float> phi(dealt.count());
  plan.submit(points, strengths, phi).wait();
  direct(runtime(), Kernel::laplace, Output::potential, x, x, q, sums).wait();
  if (dealt.count() > 0) CHECK(relative_error({phi.begin(), phi.end()}, sums) < 2e-3);
}

TEST_CASE("what is wrong with the views of one rank, all ranks refuse") {
  Problem<double> const all(300, 1, 1);
  Dealt const dealt(300);
  std::vector<double> const x = dealt.mine(all.x), q = dealt.mine(all.f);
  std::vector<double> phi(dealt.count());
  bool const wrong = runtime().rank() == runtime().ranks() - 1;
  RowsIn const points = RowsIn::packed(x.data(), dealt.count(), 3),
               strengths = wrong ? RowsIn::of({}, dealt.count()) : RowsIn::packed(q.data(), dealt.count(), 1);
  RowsOut const result = RowsOut::packed(phi.data(), dealt.count(), 1);
  Fmm plan(runtime(), {.kernel = Kernel::laplace, .tolerance = 1e-3});
  auto const set = plan.set_points(points);
  CHECK_THROWS_WITH_AS(plan.submit(set, strengths, result), doctest::Contains("0 columns"), Error);
  CHECK_THROWS_WITH_AS(direct(runtime(), Kernel::laplace, Output::potential, points, points, strengths, result),
                       doctest::Contains("0 columns"), Error);
}

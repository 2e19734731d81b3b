// SPDX-License-Identifier: BSD-3-Clause
// Ewald sums over ranks have the bits of the same plan in one process: same blocks, same slabs, whoever has them.
#include "core/plan/ewald/error/weak_field.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tasks/ewald/block_owners.hpp"
#include "tasks/ewald/plan.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct Case {
  EwaldOptions options;
  std::size_t sources = 400;
  std::size_t targets = 0;  ///< none: the sources
  Part part = Part::whole;
  double squeeze = 1;  ///< all points in this part of the box along x
};

template <class T>
struct Input {
  Problem<T> sources, targets;
  explicit Input(Case const& c)
      : sources(c.sources, strength_components(c.options.kernel), 1), targets(c.targets, 1, 2) {
    for (auto* x : {&sources.x, &targets.x})
      for (std::size_t i = 0; i < x->size(); ++i) {
        if (c.options.periodicity != Periodicity::xyz) (*x)[i] = T(0.15) + T(0.7) * (*x)[i];
        if (i % 3 == 0) (*x)[i] *= T(c.squeeze);
      }
  }
};

/// On all ranks together, and on rank 0 alone by the same parameters.
template <class T>
void expect_same_bits(Case const& c) {
  Input<T> const in(c);
  std::size_t const rows = c.targets > 0 ? c.targets : c.sources;
  std::vector<T> together(rows * std::size_t(result_components(c.options.kernel, c.options.outputs)));
  std::vector<T> alone = together;
  BasicEwald<T> plan(runtime(), c.options);
  auto const points =
      c.targets > 0 ? plan.set_points(given(in.sources.x), given(in.targets.x)) : plan.set_points(given(in.sources.x));
  Part const part = runtime().rank() == 0 ? c.part : Part::near;  // that of rank 0 counts
  auto solve = plan.submit(points, given(in.sources.f), taken(together), part);
  solve.wait();
  if (runtime().rank() == 0) {
    EwaldOptions same = c.options;  // plans for a handful of targets are finer, and windows for few sources
    same.count = c.sources > 1 ? c.sources : 0;
    same.tolerance = std::max(finest_tolerance<T>(), same.tolerance / weak_field(same, c.sources, rows));
    auto const local = std::make_shared<detail::EwaldPlan<T>>(runtime().shared(), same, plan.parameters());
    auto const set = local->set_points(detail::OnHost<T>(in.sources.x), detail::OnHost<T>(in.targets.x),
                                       c.targets == 0 ? Targets::sources : Targets::own);
    auto by_one = local->submit({set, in.sources.f, alone, c.part});
    by_one.wait();
    CHECK(together == alone);
    CHECK(solve.report().energy == by_one.report().energy);
    CHECK(solve.report().virial == by_one.report().virial);
    CHECK(solve.report().virial.has_value() == c.options.virial);
    CHECK(together.back() != 0);
    if (c.sources > 1000) CHECK((solve.report().sent_bytes > 0) == (runtime().ranks() > 1));
    if (runtime().ranks() == 1) CHECK(solve.report().sent_bytes == 0);
  }
}

EwaldOptions options(Kernel kernel, Periodicity periodicity = Periodicity::xyz) {
  return {.kernel = kernel, .periodicity = periodicity, .tolerance = 1e-5};
}

}  // namespace

TEST_CASE("every kernel, in both precisions") {
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace}) {
    CAPTURE(name(kernel));
    expect_same_bits<double>({options(kernel)});
    auto single = options(kernel);
    single.tolerance = 1e-3;
    expect_same_bits<float>({single});
  }
}

TEST_CASE("free directions, a gradient, targets of their own, parts") {
  for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy}) {
    CAPTURE(name(periodicity));
    expect_same_bits<double>({options(Kernel::laplace, periodicity)});
  }
  auto gradient = options(Kernel::laplace);
  gradient.outputs = Output::potential | Output::gradient;
  expect_same_bits<double>({gradient, 301, 127});
  expect_same_bits<double>({options(Kernel::stokeslet), 301, 0, Part::near});
  expect_same_bits<double>({options(Kernel::stokeslet), 301, 0, Part::far});
}

TEST_CASE("skewed cells, and any periodic directions") {
  for (Kernel kernel : {Kernel::stokes, Kernel::laplace}) {
    auto skewed = options(kernel);
    skewed.outputs = outputs_of(kernel);
    skewed.cell = {{{1, 0, 0}, {1.3, 0.9, 0}, {-0.2, 0.25, 0.8}}};
    skewed.virial = kernel == Kernel::laplace;
    expect_same_bits<double>({skewed, 1500});
    skewed.periodicity = Periodicity::xz;
    skewed.cell = {{{1, 0, 0}, {0, 1, 0}, {0.3, 0, 0.9}}};
    expect_same_bits<double>({skewed, 300});
    expect_same_bits<double>({options(kernel, Periodicity::y), 300});
  }
}

TEST_CASE("a cell that changes: points of one rank and of all have the sums of a plan for that cell") {
  Case const c{options(Kernel::stokeslet), 800};
  Problem<double> all = Input<double>(c).sources;
  for (double& v : all.x) v -= std::floor(v);  // points outside of the first cell would count as their images in it
  Dealt const dealt(c.sources);
  for (bool const of_all : {false, true}) {
    CAPTURE(of_all);
    auto const mine = [&](auto const& rows) {
      return of_all ? dealt.mine(rows) : runtime().rank() == 0 ? rows : decltype(dealt.mine(rows))();
    };
    auto const x = mine(all.x), f = mine(all.f);
    auto const sums = [&](Ewald& plan, Points const& points) {
      std::vector<double> u(x.size());
      plan.submit(points, f, u).wait();
      return u;
    };
    Ewald plan(runtime(), c.options);
    auto points = plan.set_points(x);
    for (double const tilt : {0.3, 0.75, 1.2}) {
      CAPTURE(tilt);
      std::array<std::array<double, 3>, 3> const rows{{{1, 0, 0}, {tilt, 1, 0}, {0, 0.1 * tilt, 1}}};
      points = plan.set_cell(points, rows);
      auto fine = c.options;
      fine.cell = rows;
      fine.tolerance = 1e-10;
      Ewald exact(runtime(), fine);
      auto const u = sums(plan, points), v = sums(exact, exact.set_points(x));
      double difference = 0, norm = 0;
      for (std::size_t i = 0; i < u.size(); ++i) difference += std::pow(u[i] - v[i], 2), norm += v[i] * v[i];
      CHECK(std::sqrt(difference) <= c.options.tolerance * std::sqrt(norm));
      CHECK((norm > 0) == !x.empty());
    }
  }
}

TEST_CASE("ranks without points, or without slabs") {
  expect_same_bits<double>({options(Kernel::stokeslet), 400, 0, Part::whole, 0.1});
  expect_same_bits<double>({options(Kernel::stokeslet), 1});
  auto coarse = options(Kernel::laplace);
  coarse.tolerance = 1e-3;
  coarse.cutoff = 0.45;
  expect_same_bits<double>({coarse, 20, 7});
}

TEST_CASE("many tasks: a finer grid, odd sizes") {
  auto fine = options(Kernel::stokeslet);
  fine.cutoff = 0.12;
  fine.grid = std::array{46, 50, 54};
  fine.tolerance = 1e-4;
  fine.box = {1, 1.1, 1.2};
  expect_same_bits<double>({fine, 3001});
}

TEST_CASE("ranks share the work where points crowd") {
  Case c{options(Kernel::stokeslet), 6000, 0, Part::whole, 0.2};
  c.options.cutoff = 0.08;
  c.options.tolerance = 1e-4;
  c.options.far_precision = FarPrecision::double_;  // slabs for each rank: with fewer, they alone decide
  Input<double> const in(c);
  Ewald plan(runtime(), c.options);
  auto const points = plan.set_points(given(in.sources.x));
  auto const& chunks = points.set()->chunks();
  if (runtime().ranks() == 1) return;
  auto const work = detail::rank_work(points.set()->setup(), *points.set());
  std::vector<double> load(work.grid.size(), 0), pairs = load, by_number = load;
  for (std::size_t run = 0; run < load.size(); ++run)
    load[std::size_t(points.set()->setup().owners().of_run(int(run)))] += work.grid[run];
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    load[std::size_t(points.set()->owners().chunk[i])] += work.chunk[i];
    pairs[std::size_t(points.set()->owners().chunk[i])] += chunks[i].pairs;
    by_number[std::size_t(chunks[i].block * runtime().ranks() / points.set()->sources().blocks())] += chunks[i].pairs;
  }
  auto const most = [](std::vector<double> const& of) { return *std::ranges::max_element(of); };
  double const share = std::accumulate(load.begin(), load.end(), 0.0) / runtime().ranks();
  CHECK(most(load) <= 1.000001 * (std::max(share, most(work.grid)) + most(work.chunk)));  // chunks are whole
  if (runtime().ranks() <= 4) CHECK(most(pairs) < 0.8 * most(by_number));  // of more, some have but one chunk
}

TEST_CASE("points that all ranks give: results come back to who gave them, with the bits of one process") {
  for (bool own_targets : {false, true}) {
    Case const c{options(Kernel::stokeslet), 700, own_targets ? std::size_t(301) : 0};
    Input<double> const in(c);
    Dealt const sources(c.sources), targets(own_targets ? c.targets : c.sources);
    auto const x = sources.mine(in.sources.x), f = sources.mine(in.sources.f), y = targets.mine(in.targets.x);
    std::vector<double> mine(3 * targets.count()), all(3 * (own_targets ? c.targets : c.sources));
    Ewald plan(runtime(), c.options);
    auto const points = own_targets ? plan.set_points(x, y) : plan.set_points(x);
    CHECK(points.sources() == c.sources);
    plan.submit(points, f, mine).wait();
    auto const whole = own_targets ? plan.set_points(given(sources.all(in.sources.x)), given(targets.all(in.targets.x)))
                                   : plan.set_points(given(sources.all(in.sources.x)));
    plan.submit(whole, given(sources.all(in.sources.f)), taken(all)).wait();
    runtime().shared()->ranks().broadcast(all.data(), all.size() * sizeof(double));
    CHECK(mine == std::vector<double>(all.begin() + std::ptrdiff_t(3 * targets.first()),
                                      all.begin() + std::ptrdiff_t(3 * (targets.first() + targets.count()))));
    CHECK(std::count(all.begin(), all.end(), 0.0) == 0);
  }
}

TEST_CASE("points that all ranks give: workers copy so many strengths, and tell which is bad") {
  constexpr std::size_t count = 100000;
  Case c{options(Kernel::stokes), count};
  c.options.tolerance = 1e-3;
  Input<double> const in(c);
  Dealt const dealt(count);
  auto const x = dealt.mine(in.sources.x);
  auto f = dealt.mine(in.sources.f);
  std::vector<double> mine(3 * dealt.count()), all(3 * count);
  Ewald plan(runtime(), c.options);
  auto const points = plan.set_points(x);
  auto solve = plan.submit(points, f, mine);
  solve.wait();
  CHECK(solve.report().submit_seconds < solve.report().seconds);
  auto const whole = plan.set_points(given(dealt.all(in.sources.x)));
  plan.submit(whole, given(dealt.all(in.sources.f)), taken(all)).wait();
  runtime().shared()->ranks().broadcast(all.data(), all.size() * sizeof(double));
  CHECK(std::equal(mine.begin(), mine.end(), all.begin() + std::ptrdiff_t(3 * dealt.first())));
  int const ranks = runtime().ranks(), givers = ranks > 2 ? ranks - 1 : ranks;
  std::size_t const bad = (count + std::size_t(givers) - 1) / std::size_t(givers) / 2;  // the middle one of rank 0
  if (runtime().rank() == 0) f[9 * bad + 4] = std::nan("");
  if (runtime().rank() == ranks - 1 && ranks > 1) f[7] = std::nan("");
  CHECK(message_of([&] {
          plan.submit(points, f, mine).wait();
        }).find("strength 4 of source " + std::to_string(bad) + " is nan") != std::string::npos);
  if (ranks == 1) return;
  if (runtime().rank() == 0) f[9 * bad + 4] = 1;
  auto const of_last = runtime().shared()->ranks().largest(runtime().rank() == ranks - 1 ? dealt.first() : 0);
  CHECK(message_of([&] {
          plan.submit(points, f, mine).wait();
        }).find("strength 7 of source " + std::to_string(of_last) + " is nan") != std::string::npos);
}

TEST_CASE("points that all ranks give: what is wrong with those of one rank, all throw") {
  Case const c{options(Kernel::laplace), 300};
  Input<double> const in(c);
  Dealt const dealt(c.sources);
  auto x = dealt.mine(in.sources.x), f = dealt.mine(in.sources.f);
  std::vector<double> u(dealt.count());
  Ewald plan(runtime(), c.options);
  int const last = runtime().ranks() - 1;
  bool const mine = runtime().rank() == last;
  auto const points = plan.set_points(x);
  auto const solve = [&](std::size_t strengths, std::size_t results) {
    return message_of([&] { plan.submit(points, std::span(f).first(strengths), std::span(u).first(results)).wait(); });
  };
  std::string const where = last > 0 ? "on rank " + std::to_string(last) + ": " : "";
  CHECK(solve(f.size(), u.size()) == "");
  CHECK(solve(f.size() - (mine ? 1 : 0), u.size()).find(where + "strengths has") == 0);
  CHECK(solve(f.size(), u.size() - (mine ? 1 : 0)).find(where + "result has") == 0);
  if (mine) f[3] = std::numeric_limits<double>::infinity();
  CHECK(solve(f.size(), u.size()).find("inf") != std::string::npos);
  if (mine) x[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK(message_of([&] { plan.set_points(x); }).find("is nan") != std::string::npos);
  x.resize(x.size() - (mine ? 1 : 0));
  CHECK(message_of([&] { plan.set_points(x); }).find("not a multiple of 3") != std::string::npos);
}

TEST_CASE("several vectors at once have the bits that each has alone") {
  constexpr std::size_t vectors = 3;
  for (Kernel const kernel : {Kernel::stresslet, Kernel::laplace}) {
    Case const c{options(kernel), 400};
    Input<double> const in(c);
    std::size_t const strengths = std::size_t(strength_components(kernel)),
                      results = std::size_t(result_components(kernel, {}));
    Ewald plan(runtime(), c.options);
    auto const points = plan.set_points(given(in.sources.x));
    std::vector<double> rows(c.sources * vectors * strengths), found(c.sources * vectors * results);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] =
          in.sources.f[i / (vectors * strengths) * strengths + i % strengths] * double(i / strengths % vectors + 1);
    plan.submit(points, given(rows), taken(found)).wait();
    for (std::size_t v = 0; v < vectors; ++v) {
      std::vector<double> one, alone(c.sources * results);
      for (double const f : in.sources.f) one.push_back(f * double(v + 1));
      plan.submit(points, given(one), taken(alone)).wait();
      if (runtime().rank() > 0) continue;
      std::vector<double> column;
      for (std::size_t i = 0; i < found.size(); ++i)
        if (i / results % vectors == v) column.push_back(found[i]);
      CHECK(column == alone);
    }
  }
}

TEST_CASE("several solves in flight, points that are set anew, a plan after a plan") {
  Case const c{options(Kernel::stokeslet), 500};
  Input<double> const in(c);
  Ewald plan(runtime(), c.options);
  std::vector<double> first;
  for (int round = 0; round < 2; ++round) {
    auto const points = plan.set_points(given(in.sources.x));
    std::vector<double> u[3];
    std::vector<Solve> solves;
    for (auto& result : u) {
      result.resize(in.sources.x.size());
      solves.push_back(plan.submit(points, given(in.sources.f), taken(result)));
    }
    for (Solve& solve : solves) solve.wait();
    if (first.empty()) first = u[0];
    for (auto const& result : u) CHECK(result == first);
  }
}

TEST_CASE("errors before and in tasks reach all ranks, and the next solve is well") {
  Case const c{options(Kernel::laplace), 200};
  Input<double> in(c);
  Ewald plan(runtime(), c.options);
  std::vector<double> u(200);
  auto const points = plan.set_points(given(in.sources.x));
  auto const solve = [&](std::span<double> result) {
    return message_of([&] { plan.submit(points, given(in.sources.f), result).wait(); });
  };
  CHECK(solve(taken(u)) == "");
  CHECK(solve(taken(u).first(taken(u).size() / 2)).find("result") != std::string::npos);
  double const strength = in.sources.f[150];
  in.sources.f[150] = std::numeric_limits<double>::quiet_NaN();
  CHECK(solve(taken(u)) != "");
  in.sources.f[150] = strength;
  CHECK(solve(taken(u)) == "");

  auto x = in.sources.x;
  x[7] = std::numeric_limits<double>::infinity();
  CHECK(message_of([&] { plan.set_points(given(x)); }).find("source 2") != std::string::npos);
  CHECK(message_of([&] { plan.set_points(given(std::vector<double>())); }) != "");
  auto senseless = c.options;
  senseless.tolerance = -1;
  CHECK(message_of([&] { Ewald(runtime(), senseless); }) != "");
  CHECK(solve(taken(u)) == "");
}

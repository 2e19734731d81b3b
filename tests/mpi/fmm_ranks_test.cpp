// SPDX-License-Identifier: BSD-3-Clause
// Multipole sums over ranks have the bits of the same plan in one process: same boxes and blocks, whoever has them.
#include "tasks/fmm/plan.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct Case {
  FmmOptions options;
  std::size_t sources = 3000;
  std::size_t targets = 0;  ///< none: the sources
  double power = 1;         ///< more than 1: points crowd in a corner
  int vectors = 1;          ///< of strengths
};

template <class T>
struct Input {
  Problem<T> sources, targets;
  explicit Input(Case const& c)
      : sources(c.sources, c.vectors * strength_components(c.options.kernel), 1), targets(c.targets, 1, 2) {
    for (auto* x : {&sources.x, &targets.x})
      for (T& number : *x) number = T(std::pow(double(number), c.power));
    if (c.options.periodicity != Periodicity::xyz) return;
    for (std::size_t i = 0; i < sources.f.size(); ++i) sources.f[i] = T(i % 2 == 0 ? 1 : -1);  // a neutral cell
  }
};

/// What the ranks plan by, with rates that are not measured.
template <class T>
Machine machine_of_all() {
  Machine machine = default_machine<T>();
  machine.cpus = all_workers();
  return machine;
}

/// On all ranks together, and on rank 0 alone with as many workers.
template <class T>
void expect_same_bits(Case const& c) {
  Input<T> const in(c);
  std::size_t const rows = c.targets > 0 ? c.targets : c.sources;
  std::vector<T> together(rows * std::size_t(c.vectors * result_components(c.options.kernel, c.options.outputs)));
  std::vector<T> alone = together;
  BasicFmm<T> plan(runtime(), c.options);
  auto const points =
      c.targets > 0 ? plan.set_points(given(in.sources.x), given(in.targets.x)) : plan.set_points(given(in.sources.x));
  auto solve = plan.submit(points, given(in.sources.f), taken(together));
  auto const report = solve.report();
  CHECK(report.ranks == runtime().ranks());
  CHECK((report.sent_bytes > 0) == (runtime().ranks() > 1));
  if (runtime().rank() > 0) return;
  auto const local = std::make_shared<detail::FmmPlan<T>>(runtime().shared(), c.options, machine_of_all<T>());
  auto const set = local->set_points(detail::OnHost<T>(in.sources.x), detail::OnHost<T>(in.targets.x),
                                     c.targets == 0 ? Targets::sources : Targets::own);
  CHECK(set->parameters().blocks == points.parameters().blocks);
  local->submit({set, in.sources.f, alone}).wait();
  CHECK(together == alone);
  CHECK(together.back() != 0);
}

/// Charges that are none together, in the unit cube, and targets far away: the sums cancel, which no plan counts on.
struct FarCloud {
  std::vector<double> x, q, y;
  std::vector<double> exact;

  explicit FarCloud(double distance) {
    std::mt19937_64 random(31);
    auto const uniform = [&] { return double(random() >> 11) * 0x1p-53; };
    constexpr std::size_t sources = 1000, targets = 300;
    for (std::size_t i = 0; i < 3 * sources; ++i) x.push_back(uniform());
    for (std::size_t i = 0; i < sources; ++i) q.push_back(i % 2 == 0 ? 1 : -1);
    for (std::size_t i = 0; i < 3 * targets; ++i) y.push_back(uniform() + (i % 3 == 0 ? distance : 0));
    for (std::size_t t = 0; t < targets; ++t) {
      long double sum = 0;
      for (std::size_t i = 0; i < sources; ++i)
        sum += q[i] / std::hypot((long double)(y[3 * t] - x[3 * i]), (long double)(y[3 * t + 1] - x[3 * i + 1]),
                                 (long double)(y[3 * t + 2] - x[3 * i + 2]));
      exact.push_back(double(sum));
    }
  }
};

}  // namespace

TEST_CASE("multipole sums over ranks: what misses the tolerance on one rank is summed again by all") {
  FarCloud const cloud(30);
  constexpr double tolerance = 1e-3;
  int const last = runtime().ranks() - 1;
  auto const of = [](int rank, std::vector<double> const& rows) {
    return runtime().rank() == rank ? std::span<double const>(rows) : std::span<double const>();
  };
  std::vector<double> u(cloud.exact.size());
  int repeats = 0, called = 0;
  for (int taker : {0, last}) {  // targets of another rank than the sources: the errors are all there
    BasicFmm<double> plan(runtime(), {.tolerance = tolerance});
    auto const points = plan.set_points(of(0, cloud.x), of(taker, cloud.y));
    double const estimate = points.parameters().estimated_error;
    std::vector<double> mine(runtime().rank() == taker ? u.size() : 0);
    auto solve = plan.submit(points, of(0, cloud.q), mine);
    solve.then([&] { ++called; });
    auto const report = solve.report();
    CHECK(estimate <= tolerance);
    CHECK(report.sampled_error > 0);
    CHECK(report.sampled_error <= tolerance);
    CHECK(agreed(report.sampled_error));
    CHECK(agreed(report.repeats));
    CHECK(agreed(points.parameters().order));
    if (runtime().rank() == taker) CHECK(relative_error(mine, cloud.exact) <= tolerance);
    repeats += report.repeats;
  }
  CHECK(repeats > 0);  // else this tells nothing
  CHECK(called == 2);
}

TEST_CASE("multipole sums over ranks: strengths find their sources in a finer plan, too") {
  constexpr std::size_t count = 60'000;
  Case const c{{.outputs = Output::potential | Output::gradient, .tolerance = 1e-4}, count};
  Input<double> const in(c);
  Dealt const dealt(count);
  std::vector<double> f(count, 0);
  for (std::size_t i = 0; i < 5; ++i) f[i * count / 5] = 1;
  auto const x = dealt.mine(in.sources.x), few = dealt.mine(f);
  std::vector<double> u(4 * dealt.count()), expected(u);
  BasicFmm<double> plan(runtime(), c.options);
  auto const points = plan.set_points(x);
  int const order = points.parameters().order;
  BasicFmm<double> fine(runtime(),
                        {.outputs = Output::potential | Output::gradient, .order = order + 8});  // from the beginning
  auto const fine_points = fine.set_points(x);
  std::vector<double> const many = dealt.mine(in.sources.f);
  for (auto const* strengths : {&few, &many}) {  // the second with the plan that the first made finer
    plan.submit(points, *strengths, u).wait();
    fine.submit(fine_points, *strengths, expected).wait();
    if (!u.empty()) CHECK(relative_error(u, expected) < c.options.tolerance);
  }
  CHECK(points.parameters().order > order);  // else this tells nothing
}

TEST_CASE("multipole sums over ranks: where sums cancel beyond a precision, all ranks say by how much it is missed") {
  FarCloud const cloud(3000);
  constexpr double tolerance = 1e-5;
  std::vector<float> const x(cloud.x.begin(), cloud.x.end()), q(cloud.q.begin(), cloud.q.end());
  std::vector<float> y(cloud.y.begin(), cloud.y.end()), u(cloud.exact.size());
  BasicFmm<float> plan(runtime(), {.tolerance = tolerance});
  auto const points = plan.set_points(given(x), given(y));
  auto solve = plan.submit(points, given(q), taken(u));
  auto const report = solve.report();
  CHECK(report.sampled_error > tolerance);
  CHECK(agreed(report.sampled_error));
  CHECK(points.parameters().estimated_error >= report.sampled_error);
  if (runtime().rank() != 0) return;
  double const error = relative_error({u.begin(), u.end()}, cloud.exact);
  CAPTURE(error);
  CHECK(error > tolerance);  // else this tells nothing
}

TEST_CASE("multipole sums over ranks: for few strengths all take a higher order") {
  Case const c{{.outputs = Output::potential | Output::gradient, .tolerance = 1e-4}, 4000};
  Input<double> const in(c);
  Dealt const dealt(c.sources);
  BasicFmm<double> plan(runtime(), c.options);
  auto const points = plan.set_points(dealt.mine(in.sources.x));
  int const order = points.parameters().order;
  std::vector<double> u(4 * dealt.count()), one(dealt.count());
  if (runtime().rank() == 0) one[0] = 1;  // the others have nothing but zeros
  plan.submit(points, dealt.mine(in.sources.f), u).wait();
  CHECK(points.parameters().order == order);
  plan.submit(points, one, u).wait();
  CHECK(points.parameters().order > order);
  CHECK(agreed(points.parameters().order));
  CHECK(points.parameters().estimated_error <= c.options.tolerance);
}

TEST_CASE("multipole sums over ranks: periodic sums are checked too") {
  Case const c{{.outputs = Output::potential | Output::gradient,
                .periodicity = Periodicity::xyz,
                .box = {1, 1, 1},
                .tolerance = 1e-4},
               2000};
  Input<double> const in(c);
  for (auto boundary : {Boundary::tin_foil, Boundary::vacuum}) {
    auto options = c.options;
    options.boundary = boundary;
    Dealt const dealt(c.sources);
    BasicFmm<double> plan(runtime(), options);
    auto const points = plan.set_points(dealt.mine(in.sources.x));
    std::vector<double> mine(4 * dealt.count());
    auto const f = dealt.mine(in.sources.f);  // outlives the solve
    auto solve = plan.submit(points, f, mine);
    auto const report = solve.report();
    CHECK(report.sampled_error > 1e-3 * options.tolerance);  // of a check that compares something
    CHECK(report.sampled_error <= options.tolerance);
    CHECK(agreed(report.sampled_error));
  }
}

TEST_CASE("multipole sums over ranks: every kernel, in both precisions") {
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stresslet, Kernel::stokes}) {
    CAPTURE(name(kernel));
    expect_same_bits<double>({{.kernel = kernel, .tolerance = 1e-4}});
    expect_same_bits<float>({{.kernel = kernel, .tolerance = 1e-3}, 1000});
  }
}

TEST_CASE(
    "multipole sums over ranks: a gradient, targets of their own, clusters, a periodic cell, two right-hand sides") {
  expect_same_bits<double>({{.outputs = Output::potential | Output::gradient, .tolerance = 1e-4}, 2000, 1500});
  expect_same_bits<double>({{.tolerance = 1e-6, .capacity = 20}, 4000, 0, 5});
  expect_same_bits<double>({{.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-4}, 3000});
  expect_same_bits<double>({{.tolerance = 1e-4}, 1500, 0, 1, 2});
}

TEST_CASE("multipole sums over ranks: fewer blocks than ranks, one level, one point") {
  expect_same_bits<double>({{.tolerance = 1e-4, .depth = 0}, 300});
  expect_same_bits<double>({{.tolerance = 1e-4}, 1, 7});
}

TEST_CASE("multipole sums over ranks: a rank holds the points that its tasks read, and no others") {
  constexpr std::size_t count = 20'000;
  Dealt const dealt(count);
  Problem<> const p(count, 1);
  int const rank = runtime().rank(), ranks = runtime().ranks();
  auto const& between = runtime().shared()->ranks();
  for (int capacity : {0, 30}) {  // the latter with p2l
    FmmOptions options{.tolerance = 1e-3};
    if (capacity > 0) options.capacity = capacity;
    auto x = p.x;
    for (double& along : x) along = std::pow(along, capacity > 0 ? 4 : 1);
    BasicFmm<double> plan(runtime(), options);
    auto const points = plan.set_points(dealt.mine(x));
    auto const& set = *points.set();
    auto const& tree = *set.tree();
    CHECK(points.sources() == count);
    if (ranks == 1) continue;
    std::size_t held = 0, own = 0, read_by_p2l = 0;
    for (int b = 0; b < tree.blocks(); ++b) {
      bool needed = tree.is_source_leaves(b) && tree.owner(b) == rank;
      if (needed) own += std::size_t(set.sources().count(b));
      for (int other = 0; other < tree.blocks(); ++other)
        for (auto const* list : {&tree.lists(other).p2p, &tree.lists(other).p2l})
          for (int const read : list->blocks) {
            needed = needed || (read == b && tree.owner(other) == rank);
            read_by_p2l += list == &tree.lists(other).p2l;
          }
      CHECK(set.sources().holds(b) == needed);
      CHECK((set.sources().position(b) != nullptr) == needed);
      CHECK((tree.leaves(b, Side::targets) != nullptr) == (tree.owner(b) == rank));
      if (needed) held += std::size_t(set.sources().count(b));
    }
    CHECK(between.sum(own) == count);
    CHECK((read_by_p2l > 0) == (capacity > 0));
    if (ranks > 2) CHECK(double(between.sum(held)) < 0.9 * ranks * count);
  }
}

TEST_CASE("multipole sums over ranks: targets of their own that all ranks give, and move") {
  constexpr std::size_t count = 3000, others = 2500;
  Problem<> const p(count, 1), q(others, 1, 2);
  Dealt const from(count), to(others);
  BasicFmm<double> plan(runtime(),
                        {.outputs = Output::potential | Output::gradient, .tolerance = 1e-4, .capacity = 40});
  auto const local =
      std::make_shared<detail::FmmPlan<double>>(runtime().shared(), plan.options(), machine_of_all<double>());
  auto points = plan.set_points(from.mine(p.x), to.mine(q.x));
  auto x = p.x, y = q.x;
  std::vector<double> whole(4 * others), mine(4 * to.count());
  std::shared_ptr<detail::FmmPointSet<double>> alone;
  for (int step = 0; step < 3; ++step) {
    if (step > 0) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-3 * std::sin(double(i));
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += 1e-3 * std::cos(double(i));
      points = plan.move_points(points, from.mine(x), to.mine(y));
    }
    plan.submit(points, from.mine(p.f), mine).wait();
    auto const all_x = from.all(x), all_y = to.all(y);
    if (runtime().rank() == 0) {  // one process moves them likewise
      detail::OnHost<double> const sources(all_x), targets(all_y);
      alone = step > 0 ? local->move_points(alone, sources, targets, Targets::own)
                       : local->set_points(sources, targets, Targets::own);
      local->submit({alone, from.all(p.f), whole}).wait();
    }
    CHECK(agreed(points.set()->tree()->planned() != nullptr));
    if (runtime().rank() == 0)
      CHECK((points.set()->tree()->planned() != nullptr) == (alone->tree()->planned() != nullptr));
    runtime().shared()->ranks().broadcast(whole.data(), whole.size() * sizeof(double));
    CHECK(std::ranges::equal(mine, std::span(whole).subspan(4 * to.first(), mine.size())));
  }
  CHECK(points.set()->tree()->planned() != nullptr);  // of the tree of the first step
  CHECK(points.set()->reviewed());
  for (double& number : x)
    number = 0.5 + 0.4 * (number - 0.5);  // sources alone: a review of before tells nothing of it
  CHECK(!plan.move_points(points, from.mine(x), to.mine(y)).set()->reviewed());
}

TEST_CASE("multipole sums over ranks: points at one place are told by their numbers among those of all ranks") {
  Problem<> p(3000, 1);
  std::copy_n(p.x.end() - 3, 3, p.x.begin());
  Dealt const dealt(3000);
  BasicFmm<double> plan(runtime(), {.tolerance = 1e-3});
  std::string const message = message_of([&] { plan.set_points(dealt.mine(p.x)); });
  CAPTURE(message);
  CHECK(message.find("are at the same point") != std::string::npos);
  std::vector<double> numbers(3000);
  for (std::size_t i = 0; i < 3000; ++i) numbers[i] = double(i);
  auto const given_as = dealt.all(numbers);
  auto const number_of = [&](double row) {
    return std::to_string(std::ranges::find(given_as, row) - given_as.begin());
  };
  auto const [low, high] = std::minmax({std::stoi(number_of(0)), std::stoi(number_of(2999))});
  CHECK(message.find("sources " + std::to_string(low) + " and " + std::to_string(high)) != std::string::npos);
  p.x[0] = std::numeric_limits<double>::infinity();
  CHECK(message_of([&] { plan.set_points(dealt.mine(p.x)); }).find("coordinate x of source " + number_of(0)) !=
        std::string::npos);
}

TEST_CASE("multipole sums over ranks: points that all ranks give, and move") {
  Case const c{{.tolerance = 1e-4}, 2000, 0, 1, 2};
  Input<double> const in(c);
  Dealt const dealt(c.sources);
  BasicFmm<double> plan(runtime(), c.options);
  auto moved = in.sources.x;
  for (double& number : moved) number *= 0.999;
  auto const f = dealt.mine(in.sources.f), all_f = dealt.all(in.sources.f);
  auto points = plan.set_points(dealt.mine(in.sources.x)), whole = plan.set_points(given(dealt.all(in.sources.x)));
  for (bool again : {false, true}) {
    if (again) {
      points = plan.move_points(points, dealt.mine(moved));
      whole = plan.move_points(whole, given(dealt.all(moved)));
    }
    std::vector<double> mine(2 * dealt.count()), all(2 * c.sources);
    plan.submit(points, f, mine).wait();
    plan.submit(whole, given(all_f), taken(all)).wait();
    runtime().shared()->ranks().broadcast(all.data(), all.size() * sizeof(double));
    CHECK(mine == std::vector<double>(all.begin() + std::ptrdiff_t(2 * dealt.first()),
                                      all.begin() + std::ptrdiff_t(2 * (dealt.first() + dealt.count()))));
    CHECK(std::count(all.begin(), all.end(), 0.0) == 0);
  }
}

TEST_CASE("multipole sums over ranks: points that move, and errors") {
  Case const c{{.tolerance = 1e-4}, 2000};
  Input<double> const in(c);
  BasicFmm<double> plan(runtime(), c.options);
  auto points = plan.set_points(given(in.sources.x));
  auto moved = in.sources.x;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += i % 3 == 0 ? 1e-3 : 0.3 * std::sin(double(i));
  std::vector<double> u(c.sources), fresh(c.sources);
  points = plan.move_points(points, given(moved));
  plan.submit(points, given(in.sources.f), taken(u)).wait();
  plan.submit(plan.set_points(given(moved)), given(in.sources.f), taken(fresh)).wait();
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    difference += (u[i] - fresh[i]) * (u[i] - fresh[i]);
    all += fresh[i] * fresh[i];
  }
  CHECK(difference <= 1e-8 * all);

  moved[4] = std::numeric_limits<double>::quiet_NaN();
  CHECK(message_of([&] { plan.set_points(given(moved)); }) != "");
  CHECK(message_of([&] { plan.move_points(points, given(moved)); }) != "");
  CHECK(message_of([&] { plan.submit(points, given(in.sources.f), taken(u).first(0)).wait(); }).find("result") !=
        std::string::npos);
  CHECK(message_of([&] { plan.submit(points, given(in.sources.f), taken(u)).wait(); }) == "");
}

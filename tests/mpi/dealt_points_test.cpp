// SPDX-License-Identifier: BSD-3-Clause
// Points of Ewald sums that all ranks give move to the ranks that need them, and to no others.
#include "tasks/ewald/plan.hpp"
#include "tests/mpi/ewald_volume.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// A long box, so that ranks have neighbours, and others beyond them.
constexpr double length = 8;

std::vector<double> in_long_box(std::size_t count) {
  Problem<> p(count, 1);
  for (std::size_t i = 0; i < count; ++i) p.x[3 * i] *= length;
  return p.x;
}

EwaldOptions in_long_box() {
  return {.kernel = Kernel::laplace, .box = {length, 1, 1}, .tolerance = 1e-4, .cutoff = 0.25};
}

/// Whether a rank reads positions of a block, going by cells and slabs one by one.
bool needs(detail::PointSet<double> const& points, int rank, int block, bool targets) {
  auto const& setup = points.setup();
  Cells const& cells = setup.cells;
  auto const& owners = points.owners();
  int const slabs = setup.grid.layout.slabs, ranks = runtime().ranks(), turn = setup.owners().turn;
  if (!targets && owners.block[std::size_t(block)] == rank) return true;
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    int const other = points.chunks()[i].block;
    if (owners.chunk[i] == rank && (targets ? other == block : near(cells, other, block))) return true;
  }
  CyclicRange const touched = slabs_of_block(setup.grid, cells, block_at(cells, block));
  for (int s = 0; s < touched.count && !targets; ++s)
    if ((touched.item(s) * ranks / slabs + turn) % ranks == rank) return true;
  return false;
}

std::size_t held(detail::BlockedPoints<double> const& points) {
  std::size_t count = 0;
  for (int b = 0; b < points.blocks(); ++b)
    if (points.holds(b)) count += std::size_t(points.count(b));
  return count;
}

/// Sums of points that are dealt to the ranks, and of the same that rank 0 gives; in the order of the former.
void expect_same_bits(EwaldOptions const& options, std::size_t count, std::size_t own_targets, double beyond = 0) {
  Problem<> sources(count, strength_components(options.kernel)), targets(own_targets, 1, 2);
  std::size_t const results = std::size_t(result_components(options.kernel, options.outputs)),
                    rows = own_targets > 0 ? own_targets : count;
  for (auto* x : {&sources.x, &targets.x})
    for (double& along : *x) along = options.periodicity == Periodicity::xyz ? along + beyond : 0.15 + 0.7 * along;
  Dealt const from(count), to(rows);
  auto const mine = from.mine(sources.x), all = from.all(sources.x);
  std::vector<double> spread(results * to.count()), whole(results * rows);
  Ewald plan(runtime(), options), of_one(runtime(), options);
  auto const points = own_targets > 0 ? plan.set_points(mine, to.mine(targets.x)) : plan.set_points(mine);
  plan.submit(points, from.mine(sources.f), spread).wait();
  auto const same =
      own_targets > 0 ? of_one.set_points(given(all), given(to.all(targets.x))) : of_one.set_points(given(all));
  of_one.submit(same, given(from.all(sources.f)), taken(whole)).wait();
  runtime().shared()->ranks().broadcast(whole.data(), whole.size() * sizeof(double));
  CHECK(std::ranges::equal(spread, std::span(whole).subspan(results * to.first(), spread.size())));
  CHECK(std::ranges::count(whole, 0.0) == 0);
}

}  // namespace

TEST_CASE("a rank holds the points that its tasks read, and no others") {
  constexpr std::size_t count = 8000;
  Dealt const dealt(count);
  auto const x = in_long_box(count);
  Ewald plan(runtime(), in_long_box());
  for (bool own_targets : {false, true}) {
    auto const points =
        own_targets ? plan.set_points(dealt.mine(x), dealt.mine(in_long_box(count))) : plan.set_points(dealt.mine(x));
    auto const& set = *points.set();
    int const rank = runtime().rank(), ranks = runtime().ranks();
    std::size_t own = 0;
    for (int b = 0; b < set.sources().blocks() && ranks > 1; ++b) {
      CHECK(set.sources().holds(b) == needs(set, rank, b, false));
      CHECK((set.sources().position(b) != nullptr) == set.sources().holds(b));
      if (own_targets) CHECK(set.targets().holds(b) == needs(set, rank, b, true));
      if (set.owners().block[std::size_t(b)] == rank) own += std::size_t(set.sources().count(b));
    }
    CHECK(points.sources() == count);
    if (ranks == 1) continue;
    CHECK(runtime().shared()->ranks().sum(own) == count);
    // Where the grid has fewer slabs than there are ranks, some spread to half of the box.
    auto const all = runtime().shared()->ranks().sum(held(set.sources()));
    if (ranks > 3) CHECK(double(all) < 0.8 * ranks * count);
  }
}

TEST_CASE("points that ranks give by their place go to the ranks around, also when they have moved a little") {
  constexpr std::size_t count = 20'000;
  auto x = in_long_box(count), f = Problem<>(count, 1).f;
  int const rank = runtime().rank(), ranks = runtime().ranks();
  Ewald plan(runtime(), in_long_box());
  auto const mine = [&] {
    std::vector<double> part;
    for (std::size_t i = 0; i < count; ++i)
      if (int(x[3 * i] / length * ranks) == rank) part.insert(part.end(), &x[3 * i], &x[3 * i] + 3);
    return part;
  };
  auto part = mine();
  auto points = plan.set_points(part);
  std::vector<double> strengths(part.size() / 3, 1.0), moved(strengths.size()), anew(strengths.size());
  for (std::size_t i = 0; i < strengths.size(); i += 2) strengths[i] = -1;
  for (int step = 0; step < 2; ++step) {
    auto const& set = *points.set();
    Cells const& cells = set.setup().cells;
    std::set<int> to;
    std::size_t stay = 0;
    for (std::size_t i = 0; i < part.size() && ranks > 1; i += 3) {
      double at[3] = {};
      REQUIRE(place_point(set.frame(), &part[i], at));
      int block[3];
      for (int d = 0; d < 3; ++d) block[d] = cells.block_of(d, cells.cell(d, at[d]));
      auto const number = std::size_t(block_number(cells, block[0], block[1], block[2]));
      for (int const r : set.owners().holders[number]) to.insert(r);
      if (set.owners().block[number] == rank) ++stay;
    }
    auto const partners = runtime().shared()->ranks().sum(to.size());
    if (ranks > 4) CHECK(double(partners) < 0.85 * ranks * ranks);
    // Boxes that repeat begin half a box further on: of an odd number of ranks each has half of its own.
    auto const stayed = double(runtime().shared()->ranks().sum(stay));
    if (ranks > 1 && ranks < 5) CHECK(stayed > (ranks % 2 == 0 ? 0.6 : 0.4) * count);
    plan.submit(points, strengths, moved).wait();
    plan.submit(plan.set_points(part), strengths, anew).wait();
    CHECK(moved == anew);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] += 1e-3 * std::sin(double(i));
    points = plan.move_points(points, part);
  }
}

TEST_CASE("dealt points of every kernel and periodicity have the bits of the same given by one rank") {
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace}) {
    CAPTURE(name(kernel));
    if (runtime().ranks() > 4 && kernel != Kernel::stokes) continue;  // takes long where cores are few
    EwaldOptions const options{.kernel = kernel, .tolerance = 1e-4};
    expect_same_bits(options, 500, 0);
    expect_same_bits(options, 301, 200, 3.4);  // some periods outside the box
  }
  for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy}) {
    CAPTURE(name(periodicity));
    expect_same_bits({.kernel = Kernel::laplace, .periodicity = periodicity, .tolerance = 1e-4}, 301, 0);
  }
  // The box is where the points of all ranks are.
  expect_same_bits({.kernel = Kernel::laplace, .periodicity = Periodicity::none, .box = {0, 0, 0}, .tolerance = 1e-4},
                   301, 100);
  expect_same_bits({.kernel = Kernel::stokeslet, .tolerance = 1e-3}, 5, 3);
}

TEST_CASE("two points at one place, of different ranks, are told with their numbers among all") {
  int const ranks = runtime().ranks();
  if (ranks == 1) return;
  std::vector<double> x;
  if (runtime().rank() == 0) x = {0.1, 0.2, 0.3, 0.5, 0.5, 0.5};
  if (runtime().rank() == ranks - 1) x = {0.7, 0.6, 0.3, 0.5, 0.5, 0.5};
  Ewald plan(runtime(), {.kernel = Kernel::laplace, .tolerance = 1e-4});
  CHECK(message_of([&] { plan.set_points(x); }).find("sources 1 and 3 are at the same point") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// A particle-in-cell loop over ranks follows one that is written out plainly here, has the same bits again and from a
// saved state, sends what its formula says, and fails on all ranks.
#include "core/pic/options.hpp"
#include "core/poisson/options.hpp"
#include "tasks/poisson/graph.hpp"
#include "tests/core/poisson/plain_solver.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/pic/bunch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace nearfar;
using namespace nearfar::test;

namespace {

PicOptions options() { return {.grid = {10, 9, 8}, .box = {1, 1, 1}, .time_step = 0.05, .charge_per_mass = -2}; }

Bunch<> moving(std::size_t count) {
  Bunch<> bunch(count, 0.2, -1);
  std::mt19937_64 random(2);
  for (double& v : bunch.velocities) v = std::normal_distribution<double>()(random);
  return bunch;
}

/// The part of it that this rank gives.
Bunch<> of_rank(Bunch<> const& all, Dealt const& dealt) {
  Bunch<> mine;
  mine.positions = dealt.mine(all.positions);
  mine.velocities = dealt.mine(all.velocities);
  mine.charges = dealt.mine(all.charges);
  return mine;
}

/// The same method, one particle after the other, without external fields; faces reflect.
class PlainLoop {
 public:
  PlainLoop(PicOptions const& o, Bunch<> bunch)
      : o_(o), bunch_(std::move(bunch)),
        green_(make_green_function(o.method, HockneyGreen::cell_average, o.grid, o.box, o.periodic)),
        table_(plain::green_table(green_)) {
    find_field();
  }

  void step() {
    kick();
    for (std::size_t i = 0; i < bunch_.positions.size(); ++i) {
      double& x = bunch_.positions[i];
      double& v = bunch_.velocities[i];
      double const edge = o_.box[i % 3];
      x += o_.time_step * v;
      if (x < 0 || x > edge) {
        x = x < 0 ? -x : 2 * edge - x;
        v = -v;
      }
    }
    find_field();
    kick();
  }

  Bunch<> const& bunch() const { return bunch_; }
  plain::Array const& density() const { return density_; }
  plain::Array const& potential() const { return solution_.potential; }
  double kinetic() const {
    double sum = 0;
    for (std::size_t i = 0; i < bunch_.velocities.size(); ++i)
      sum += bunch_.charges[i / 3] / o_.charge_per_mass * bunch_.velocities[i] * bunch_.velocities[i] / 2;
    return sum;
  }

 private:
  /// Calls visit(cell, weight) for the cells that the cloud of a particle is in.
  template <class Visit>
  void for_cloud(std::size_t particle, Visit visit) const {
    for (int corner = 0; corner < 8; ++corner) {
      std::size_t cell = 0;
      double weight = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        double const place = bunch_.positions[3 * particle + d] / o_.box[d] * o_.grid[d] - 0.5, low = std::floor(place);
        bool const high = (corner >> d & 1) != 0;
        weight *= high ? place - low : 1 - (place - low);
        cell = cell * std::size_t(o_.grid[d]) + std::size_t(std::clamp(int(low) + int(high), 0, o_.grid[d] - 1));
      }
      visit(cell, weight);
    }
  }
  void find_field() {
    double volume = 1;
    for (std::size_t d = 0; d < 3; ++d) volume *= o_.box[d] / o_.grid[d];
    density_.assign(std::size_t(o_.grid[0]) * std::size_t(o_.grid[1]) * std::size_t(o_.grid[2]), 0);
    for (std::size_t i = 0; i < bunch_.charges.size(); ++i)
      for_cloud(i, [&](std::size_t cell, double weight) { density_[cell] += weight * bunch_.charges[i] / volume; });
    solution_ = plain::solve(green_, table_, density_, true);
  }
  void kick() {
    for (std::size_t i = 0; i < bunch_.charges.size(); ++i)
      for_cloud(i, [&](std::size_t cell, double weight) {
        for (std::size_t d = 0; d < 3; ++d)
          bunch_.velocities[3 * i + d] += o_.time_step / 2 * o_.charge_per_mass * weight * solution_.field[d][cell];
      });
  }

  PicOptions o_;
  Bunch<> bunch_;
  GreenFunction green_;
  plain::Array table_;
  plain::Array density_;
  decltype(plain::solve(green_, table_, density_, true)) solution_;
};

/// Sent by all ranks in a step: parts of the density to the owners of the slabs, the field to all, and tiles of three
/// components where a slab and a group of columns are on different ranks, there and back.
std::uint64_t expected_bytes(PicOptions const& o) {
  int const ranks = runtime().ranks();
  auto const layout = detail::poisson_layout(make_poisson_grid(poisson_options(o)), 3, all_workers());
  auto const owner = [&](int item, int items) { return item * ranks / items; };
  std::uint64_t numbers = std::uint64_t(ranks - 1) * (1 + 3) * std::uint64_t(layout.size[0] * layout.plane_size());
  for (int s = 0; s < layout.slabs; ++s)
    for (int g = 0; g < layout.columns; ++g)
      if (owner(s, layout.slabs) != owner(g, layout.columns))
        numbers += std::uint64_t(2 * 2 * 3 * layout.planes(s)) * std::uint64_t(layout.columns_in(g));
  return numbers * sizeof(double);
}

}  // namespace

TEST_CASE("pic over ranks: the loop written out plainly, whoever gives the particles, and what is sent") {
  auto const all = moving(300);
  Dealt const dealt(all.charges.size());
  for (bool spread : {false, true}) {
    CAPTURE(spread);
    Bunch<> const mine = spread ? of_rank(all, dealt) : runtime().rank() == 0 ? all : Bunch<>();
    PlainLoop plain(options(), all);
    auto loop = mine.loop(runtime(), options());
    CHECK(loop.particles() == mine.charges.size());
    loop.advance(0).wait();  // the field at first
    for (int step = 0; step < 3; ++step) {
      plain.step();
      auto const report = loop.advance().report();
      CHECK(report.ranks == runtime().ranks());
      CHECK(report.sent_bytes == expected_bytes(options()));
    }
    auto const found = state_of(loop);
    auto const expected = spread ? of_rank(plain.bunch(), dealt) : plain.bunch();
    if (!mine.charges.empty()) {
      CHECK(relative_difference(found.positions, expected.positions) < 1e-13);
      CHECK(relative_difference(found.velocities, expected.velocities) < 1e-12);
    }
    CHECK(totals_of(loop).kinetic == doctest::Approx(plain.kinetic()).epsilon(1e-12));  // on all ranks

    // Ranks that ask get them.
    bool const asks = runtime().rank() == runtime().ranks() - 1;
    PicTotals totals;
    std::vector<double> density(asks ? plain.density().size() : 0), potential(density.size());
    loop.read({.totals = asks ? &totals : nullptr, .density = density, .potential = potential}).wait();
    if (!asks) continue;
    CHECK(totals.charge == doctest::Approx(-1).epsilon(1e-13));
    CHECK(totals.time == doctest::Approx(0.15));
    CHECK(relative_difference(density, plain.density()) < 1e-12);
    CHECK(relative_difference(potential, plain.potential()) < 1e-12);
  }
}

TEST_CASE("pic over ranks: the same bits again, in one solve or many, and from a state that was saved") {
  auto const all = moving(20000);
  Bunch<> const mine = runtime().rank() == 0 ? all : Bunch<>();
  auto const o = options();
  auto loop = mine.loop(runtime(), o);
  loop.advance(5).wait();
  auto const expected = state_of(loop);
  auto singly = mine.loop(runtime(), o);
  std::vector<Solve> flight;
  for (int i = 0; i < 3; ++i) flight.push_back(singly.advance());
  Bunch<> saved = mine;
  flight.push_back(singly.read({.positions = saved.positions, .velocities = saved.velocities}));
  flight.push_back(singly.advance(2));
  for (auto& solve : flight) solve.wait();
  CHECK(state_of(singly) == expected);
  auto resumed = saved.loop(runtime(), o, runtime().rank() == 0 ? 3 : 17);
  CHECK(resumed.step() == 3);
  resumed.advance(2).wait();
  CHECK(resumed.step() == 5);
  CHECK(state_of(resumed) == expected);
}

TEST_CASE("pic over ranks: fewer particles than ranks, fewer planes, single precision") {
  PicOptions const o{.grid = {2, 3, 2}, .time_step = 0.01};
  Bunch<float> const one(1, 0.1, 1);
  auto loop = (runtime().rank() == 0 ? one : Bunch<float>()).loop(runtime(), o);
  loop.advance(2).wait();
  CHECK(totals_of(loop).charge == doctest::Approx(1).epsilon(1e-6));
  auto const found = state_of(loop).positions;  // which exerts no force on itself
  if (runtime().rank() == 0) CHECK(relative_difference(found, one.positions) < 1e-5);
}

TEST_CASE("pic over ranks: what fails on one fails on all, and the next loop is well") {
  auto const all = moving(100);
  Dealt const dealt(all.charges.size());
  auto mine = of_rank(all, dealt);
  bool const bad = runtime().rank() == runtime().ranks() - 1;
  auto const good = mine;
  if (bad) mine.velocities[3 * 7 + 1] = 1000;
  {
    auto loop = mine.loop(runtime(), options());
    auto first = loop.advance();
    PicTotals totals;
    auto second = loop.read({.totals = &totals});
    auto third = loop.advance(2);
    auto const why = message_of([&] { first.wait(); });
    CHECK(why.find(" moves to y = ") != std::string::npos);
    auto fourth = [&] { loop.advance().wait(); };
    for (auto const& said : {message_of([&] { second.wait(); }), message_of([&] { third.wait(); }), message_of(fourth)})
      CHECK((runtime().ranks() > 1 ? said == why : said.find("a solve before has failed") != std::string::npos));
    std::vector<double> few(5);
    CHECK(message_of([&] { loop.read({.density = std::span(few).first(bad ? 5 : 0)}); }).find("has 5 numbers") !=
          std::string::npos);
  }
  if (bad) mine.positions[3 * 7 + 1] = NAN;
  auto const number = all.charges.size() - dealt.count() + 7;  // the last rank's come last
  CHECK(message_of([&] {
          mine.loop(runtime(), options());
        }).find((bad ? "particle " + std::to_string(number) : "") + " is at y = nan") != std::string::npos);
  CHECK(message_of([&] { Bunch<>().loop(runtime(), options()); }).find("there are no particles") != std::string::npos);
  auto loop = good.loop(runtime(), options());
  loop.advance().wait();
}

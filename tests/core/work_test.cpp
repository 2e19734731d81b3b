// SPDX-License-Identifier: BSD-3-Clause
#include "core/work.hpp"

#include "core/axes.hpp"
#include "core/cell_choice.hpp"
#include "core/constants.hpp"
#include "core/machine_shape.hpp"
#include "core/parameters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace nearfar;

namespace {

EwaldOptions options_for(Periodicity periodicity) {
  EwaldOptions o;
  o.periodicity = periodicity;
  return o;
}

double amount(WorkTerms const& terms, double Rates::*rate) {
  for (Term const& t : terms.near)
    if (t.rate == rate) return t.amount;
  return -1;
}

/// Near 10 s, far 6 s of one CPU worker, at rates of one second each.
Work ten_and_six() {
  Work w;
  w.near = 10;
  w.spread = 1;
  w.gather = 2;
  w.planes = 1;
  w.columns = 2;
  w.near_flops = 100;
  return w;
}

}  // namespace

TEST_CASE("work: a ball around a point of an interval") {
  CHECK(share_inside(0) == 1);
  CHECK(share_inside(1) == doctest::Approx(5.0 / 8));
  // Far longer than the interval: all points see each other through the middle of the ball, a disc as thick as it.
  CHECK(share_inside(1000) == doctest::Approx(0.75e-3));
}

TEST_CASE("work: pairs are those that are there, along free directions too") {
  constexpr int side = 13, n = side * side * side;
  std::mt19937 random(3);
  std::array<std::array<double, 3>, n> x;  // one in each cell of a lattice
  for (int i = 0; i < n; ++i) {
    std::array const cell{i % side, i / side % side, i / side / side};
    for (std::size_t d = 0; d < 3; ++d) x[std::size_t(i)][d] = (cell[d] + random() / 4294967296.0) / side;
  }
  for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz}) {
    EwaldOptions const o = options_for(periodicity);
    EwaldParameters p = choose_parameters<double>(o, n, n, Rates{});
    p.cutoff = 0.3;
    double pairs = 0;
    for (auto const& a : x)
      for (auto const& b : x) {
        double r2 = 0;
        for (int d = 0; d < 3; ++d) {
          double const r = a[d] - b[d], shift = is_periodic(periodicity, d) ? std::round(r) : 0;
          r2 += (r - shift) * (r - shift);
        }
        if (r2 < 0.09) ++pairs;
      }
    // Another set of targets: no pair is summed for both of its points.
    WorkTerms const terms = work_terms(o, p, 10, n, n - 1e-6, 1, 8, true);
    CAPTURE(name(periodicity));
    double const evaluated = pairs * pairs_evaluated(choose_cells(o, p, n, 1), n);
    CHECK(amount(terms, &Rates::quad) / 2 == doctest::Approx(evaluated).epsilon(0.02));  // three forces: two quads
    CHECK(amount(terms, &Rates::degree) / 20 == doctest::Approx(evaluated).epsilon(0.02));
    // Each is found among sources that are tested.
    CHECK(amount(terms, &Rates::tested) > pairs);
    CHECK(amount(terms, &Rates::tested) < 8 * pairs);
  }
}

TEST_CASE("work: sources near one of four targets, counted") {
  std::mt19937_64 random(7);
  auto const uniform = [&] { return double(random() >> 11) / 9007199254740992.0; };
  for (double const neighbours : {20.0, 40.0, 100.0, 200.0, 400.0}) {
    Cells c;
    double const density = neighbours / (4.0 / 3 * pi<double>), columns = neighbours > 300 ? 2 : 1;
    c.cutoff = 1;
    for (int d = 0; d < 3; ++d) {
      c.edge[d] = 20;
      c.count[d] = int(20 * columns);
    }
    std::array const edge{1 / columns, 1 / columns, 16 * columns * columns / density};
    double near_one = 0, rounds = 400;
    for (int round = 0; round < rounds; ++round) {
      std::array<std::array<double, 3>, 16> x;
      for (auto& point : x)
        for (std::size_t d = 0; d < 3; ++d) point[d] = edge[d] * uniform();
      auto half = edge;
      auto const halve = [&](std::size_t first, std::size_t last) {
        auto const d = std::size_t(std::max_element(half.begin(), half.end()) - half.begin());
        std::sort(x.begin() + long(first), x.begin() + long(last),
                  [&](auto const& a, auto const& b) { return a[d] < b[d]; });
        half[d] /= 2;
      };
      halve(0, 16);
      halve(0, 8);
      double const reach = 1.001, size = 2 * reach + std::max({edge[0], edge[1], edge[2]});
      for (int i = 0; i < density * size * size * size; ++i) {
        std::array<double, 3> y;
        for (double& v : y) v = size * uniform() - reach;
        near_one += std::any_of(x.begin(), x.begin() + 4, [&](auto const& p) {
          return std::pow(p[0] - y[0], 2) + std::pow(p[1] - y[1], 2) + std::pow(p[2] - y[2], 2) < 1;
        });
      }
    }
    CAPTURE(neighbours);
    CHECK(pairs_evaluated(c, density) == doctest::Approx(near_one / rounds / neighbours).epsilon(0.06));
  }
}

TEST_CASE("work: pairs that are summed for both of their points, counted") {
  std::mt19937 random(5);
  constexpr int n = 3000;
  std::array<std::array<double, 3>, n> x;
  for (auto& point : x)
    for (double& v : point) v = random() / 4294967296.0;
  Cells c;
  c.blocks[0] = 4;
  c.blocks[1] = 2;
  c.cutoff = 0.2;
  double pairs = 0, in_block = 0;
  for (auto const& a : x)
    for (auto const& b : x) {
      double r2 = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        double const r = a[d] - b[d];
        r2 += std::pow(r - std::round(r), 2);
      }
      if (r2 >= 0.04) continue;
      ++pairs;
      in_block += int(4 * a[0]) == int(4 * b[0]) && int(2 * a[1]) == int(2 * b[1]);
    }
  double const far_apart = 1e9;  // hardly any pair is in a tile
  CHECK(mutual_share(c, far_apart, false) == doctest::Approx(in_block / pairs).epsilon(0.02));
  CHECK(mutual_share(c, 8, false) == doctest::Approx(0.5 * mutual_share(c, far_apart, false)));
  CHECK(mutual_share(c, 4, false) == 0);
  CHECK(mutual_share(c, 8, true) == 0.5);
}

TEST_CASE("work: cells that are read, counted by hand") {
  Cells c;
  for (int d = 0; d < 3; ++d) c.count[d] = 4;
  c.cutoff = 0.25;  // one cell
  CellsRead read = cells_read(c);
  CHECK(read.runs == 9);
  CHECK(read.share == doctest::Approx(27 / 64.0));  // three cells in each
  for (bool& periodic : c.periodic) periodic = false;
  read = cells_read(c);
  CHECK(read.runs == doctest::Approx(2.5 * 2.5));              // 2, 3, 3, 2 in a row
  CHECK(read.share == doctest::Approx(2.5 * 2.5 * 2.5 / 64));  // here too
}

TEST_CASE("work: seconds are amounts times rates, and every stage has its own") {
  EwaldOptions o;
  o.kernel = Kernel::stokes;
  EwaldParameters const p = choose_parameters<double>(o, 10000, 10000, Rates{});
  auto const work = [&](Rates const& r) { return predict_work(o, p, 13, 10000, 10000, r, 1, true); };
  Work const w = work(Rates{});
  CHECK(w.total() == doctest::Approx(w.near + w.spread + w.gather + w.planes + w.columns));
  Rates r;
  r.plane *= 2;
  CHECK(work(r).planes == doctest::Approx(2 * w.planes));
  CHECK(work(r).total() - w.total() == doctest::Approx(w.planes));
  r = {};
  r.spread_scalar *= 2;  // dipoles are not spread by that
  CHECK(work(r).total() == w.total());
  r.spread_double_layer *= 2;
  CHECK(work(r).spread > w.spread);
}

TEST_CASE("machine: CPUs share all evenly") {
  MachineShape machine{.cpus = 4};
  CHECK(machine.seconds(10, 0, 6, 0) == 4);
  CHECK(machine.cost(ten_and_six()) == ten_and_six().total());
  CHECK(machine.near_gpu_seconds(ten_and_six()) == 0);
}

TEST_CASE("machine: GPUs take the near part as far as that ends sooner") {
  MachineShape machine{.cpus = 2, .gpus = 1, .gpu_flop = 0.01};
  CHECK(machine.near_gpu_seconds(ten_and_six()) == 1);
  CHECK(machine.seconds(10, 0, 6, 1) == doctest::Approx(3));  // all of it, within the far part of the CPUs
  CHECK(machine.seconds(10, 0, 6, 3) == doctest::Approx(3));
  // 12 s of GPU: (6 + 10 x) / 2 = 12 (1 - x), x = 9 / 17.
  CHECK(machine.seconds(10, 0, 6, 12) == doctest::Approx((6 + 90.0 / 17) / 2));
  CHECK(machine.seconds(10, 0, 6, 1e9) == doctest::Approx(8));  // a GPU that is no use
  CHECK(machine.seconds(0, 0, 6, 0) == doctest::Approx(3));
  CHECK(machine.seconds(10, 0, 0, 10) == doctest::Approx(10.0 / 3));  // as three workers alike
  // A CPU begins none of its 2 s that the GPU would have done sooner.
  CHECK(machine.seconds(10, 0, 0, 1.5, 2) == doctest::Approx(1.8 / 1.3));
  CHECK(machine.seconds(10, 0, 0, 1, 2) == doctest::Approx(1));
  CHECK(machine.seconds(10, 2, 0, 1, 10) == doctest::Approx(2));  // 1 s in bin and merge, 1 s on the GPU between
  machine.gpus = 2;
  CHECK(machine.seconds(10, 0, 0, 10) == doctest::Approx(10.0 / 4));
  CHECK(machine.cost(ten_and_six()) == doctest::Approx(2 * machine.seconds(10, 0, 6, 1)));
}

TEST_CASE("machine: tasks that are fewer than workers take as long as one, and the fullest worker counts") {
  MachineShape const machine{.cpus = 4};
  CHECK(machine.span(6, 1) == 6);
  CHECK(machine.span(6, 3) == 2);
  CHECK(machine.span(6, 4) == 1.5);
  CHECK(machine.span(6, 6) == 2);
  CHECK(machine.span(6, 60) == doctest::Approx(1.5));
  CHECK(machine.span(6, 0) == 0);
}

TEST_CASE("machine: a GPU takes longer for tasks that do not fill it, and for each task") {
  MachineShape machine{.cpus = 4, .gpus = 1, .gpu_flop = 1e-12};
  Work work;
  work.near_flops = 1e10;  // 10 ms
  work.targets = 1000;
  CHECK(machine.gpu_tasks(work) == doctest::Approx(10));
  CHECK(machine.near_gpu_seconds(work) == doctest::Approx(0.01));
  machine.gpu_task = 1e-4;
  CHECK(machine.near_gpu_seconds(work) == doctest::Approx(0.011));
  machine.gpu_latency = 3e-10;  // 300 targets fill it, and a task has 100
  CHECK(machine.near_gpu_seconds(work) == doctest::Approx(0.041));
  machine.gpu_target = 1e-6;
  CHECK(machine.gpu_tasks(work) == doctest::Approx(11));
  CHECK(machine.near_gpu_seconds(work) == doctest::Approx(0.0451));
  work.near_flops = 1e8;
  CHECK(machine.gpu_tasks(work) == 4);
  work.near_flops = 1e12;
  CHECK(machine.gpu_tasks(work) == 16);
}

TEST_CASE("layout: enough tasks for the workers, long ones where there is enough to do") {
  EwaldOptions const o = options_for(Periodicity::xyz);
  auto const plan = [&](std::size_t count, MachineShape const& machine) {
    return choose_parameters<double>(o, count, count, Rates{}, {}, machine);
  };
  auto const blocks = [](EwaldParameters const& p) { return p.blocks[0] * p.blocks[1] * p.blocks[2]; };
  EwaldParameters const few = plan(100000, {.cpus = 2}), many = plan(100000, {.cpus = 16});
  CHECK(blocks(few) >= 8);
  CHECK(blocks(many) >= 15);
  CHECK(many.slabs >= 12);
  CHECK(many.columns > few.columns);
  CHECK(many.chain_seconds < few.chain_seconds);
  // One after the other: nothing is shared by more workers than there are tasks.
  EwaldParameters const one = plan(100000, {.cpus = 1});
  Work const work = predict_work(o, one, 1, 100000, 100000, Rates{}, 1, true);
  CHECK(one.far_seconds == doctest::Approx(work.far()));
  CHECK(one.chain_seconds == doctest::Approx(work.far() + work.points));
  CHECK(one.last_seconds * blocks(one) == doctest::Approx(work.gather + work.points / 2));
  EwaldParameters const thousand = plan(3000, {.cpus = 1000});
  Work const little = predict_work(o, thousand, 1, 3000, 3000, Rates{}, 1, true);
  auto const least = [](double seconds, int tasks) { return seconds / tasks; };  // all at once
  CHECK(thousand.chain_seconds ==
        doctest::Approx(6 * 1000 * 2e-6 + 1.12 * (least(little.points + little.gather, blocks(thousand)) +
                                                  least(little.spread + little.planes, thousand.slabs) +
                                                  least(little.columns, thousand.columns))));
  for (int cpus : {2, 16}) {
    EwaldParameters const million = plan(1000000, {.cpus = cpus});
    CHECK(million.near_seconds / blocks(million) > 6e-3);
    CHECK(million.near_seconds / blocks(million) < 14e-3);
  }
  MachineShape const with_gpu{.cpus = 16, .gpus = 1, .gpu_flop = 1e-13};
  CHECK(blocks(plan(1000000, with_gpu)) >= 16);
  CHECK(blocks(plan(1000000, with_gpu)) <= 4 * 16);
}

TEST_CASE("layout: blocks come in whole rounds of the workers") {
  EwaldOptions const o = options_for(Periodicity::xyz);
  for (int cpus : {6, 12, 15, 16, 24, 48})
    for (std::size_t count : {100000, 1000000}) {
      auto const p =
          choose_parameters<double>(o, count, count, Rates{}, {}, {.cpus = cpus, .gpus = 1, .gpu_flop = 3e-13});
      CAPTURE(cpus);
      CAPTURE(count);
      double rounds = 1.0 / cpus, largest = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        rounds *= p.blocks[d];
        largest *= std::ceil(double(p.cells[d]) / p.blocks[d]) / p.cells[d];
      }
      CAPTURE(rounds);
      // A stage with one task for each block, in what it would take if it were shared evenly.
      CHECK(std::ceil(rounds) * largest * cpus <= 1.4);
    }
}

TEST_CASE("machine: the last worker ends half a task after the mean") {
  CHECK(MachineShape{.cpus = 1}.until_last(3, 1) == 3);
  CHECK(MachineShape{.cpus = 4}.until_last(3, 1) == doctest::Approx(3.375));
}

TEST_CASE("machine: plans of CPUs alone do not depend on their number, and a GPU makes the cutoff longer") {
  for (Periodicity periodicity : {Periodicity::xyz, Periodicity::none}) {
    EwaldOptions const o = options_for(periodicity);
    auto const plan = [&](MachineShape const& machine) {
      return choose_parameters<double>(o, 1000000, 1000000, Rates{}, {}, machine);
    };
    EwaldParameters const alone = plan({}), many = plan({.cpus = 48});
    CHECK(alone.cutoff == many.cutoff);
    CHECK(alone.grid == many.grid);
    CHECK(alone.window_points == many.window_points);
    CHECK(alone.near_gpu_seconds == 0);
    MachineShape const fast{.cpus = 16, .gpus = 1, .gpu_flop = 2e-13, .gpu_latency = 1e-10, .gpu_task = 2e-5};
    EwaldParameters const with = plan(fast);
    CHECK(with.cutoff > 1.1 * alone.cutoff);
    CHECK(with.far_seconds < alone.far_seconds);
    CHECK(with.near_gpu_seconds > 0);
    CHECK(fast.seconds(with.near_seconds, 0, with.far_seconds, with.near_gpu_seconds) <
          many.near_seconds / 16 + many.far_seconds / 16);
    // One that is slower than the CPUs together changes next to nothing.
    MachineShape const slow{.cpus = 16, .gpus = 1, .gpu_flop = 1};
    CHECK(plan(slow).cutoff == doctest::Approx(alone.cutoff));
  }
}

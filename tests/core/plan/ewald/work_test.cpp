// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/work.hpp"

#include "core/geometry/axes.hpp"
#include "core/plan/ewald/gpu_lengths.hpp"
#include "core/plan/ewald/parameters.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace nearfar;

namespace {

EwaldOptions options_for(Periodicity periodicity) {
  EwaldOptions o;
  o.periodicity = periodicity;
  return o;
}

}  // namespace

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
    CAPTURE(name(periodicity));
    CHECK(count_pairs(o, 0.3, n, n, 1) == doctest::Approx(pairs).epsilon(0.02));
    CHECK(count_pairs(o, 0.3, n, n, 3) > 2.9 * count_pairs(o, 0.3, n, n, 1));
  }
}

TEST_CASE("work: vectors that are summed together share part of their pairs, and have a longer cutoff for it") {
  auto const each = [](Kernel kernel, Outputs outputs, int vectors) {
    return pairs_of_each(describe(kernel, outputs), vectors);
  };
  double const shared = work_constants.shared_of_pair;
  CHECK(each(Kernel::stokeslet, {}, 1) == 1);
  CHECK(each(Kernel::stokeslet, {}, 2) == doctest::Approx(1 - shared / 2));
  CHECK(each(Kernel::stokeslet, {}, 4) == doctest::Approx(1 - shared * 3 / 4));
  CHECK(each(Kernel::stokeslet, {}, 8) == doctest::Approx(1 - shared * 3 / 4));
  CHECK(each(Kernel::stokeslet, {}, 3) == doctest::Approx((4 - 3 * shared) / 3));  // as four, one of which is 0
  CHECK(each(Kernel::stokeslet, {}, 5) == doctest::Approx((5 - 3 * shared) / 5));
  CHECK(each(Kernel::stresslet, {}, 4) == 1);
  CHECK(each(Kernel::laplace, {}, 4) == 1);
  CHECK(each(Kernel::laplace, Output::potential | Output::gradient, 4) < 0.5);

  EwaldOptions o;
  EwaldPlanning const alone = choose_parameters<double>(o, 100000, 100000);
  o.vectors = 4;
  EwaldPlanning const four = choose_parameters<double>(o, 100000, 100000);
  CHECK(four.cutoff > 1.05 * alone.cutoff);
  CHECK(four.grid[0] < alone.grid[0]);
  CHECK(four.estimated_error <= o.tolerance);
  o.kernel = Kernel::stresslet;
  EwaldPlanning const not_together = choose_parameters<double>(o, 100000, 100000);
  o.vectors = 1;
  CHECK(not_together.cutoff == choose_parameters<double>(o, 100000, 100000).cutoff);
}

TEST_CASE("work: every stage goes by its row of the table") {
  EwaldOptions o;
  o.kernel = Kernel::stokes;
  EwaldPlanning const p = choose_parameters<double>(o, 10000, 10000);
  auto const work = [&](Machine const& m) { return predict_work(o, p, 13, 10000, 10000, m, 1); };
  Work const w = work({});
  CHECK(w.total() ==
        doctest::Approx(w.pairs.cpu + w.points.cpu + w.spread.cpu + w.gather.cpu + w.planes.cpu + w.columns.cpu));
  SharedWork Work::*const stages[] = {&Work::points, &Work::pairs,   &Work::spread,
                                      &Work::planes, &Work::columns, &Work::gather};
  WorkRow const rows[] = {WorkRow::points, WorkRow::p2p, WorkRow::p2g, WorkRow::fft, WorkRow::scale, WorkRow::g2p};
  for (int i = 0; i < 6; ++i) {
    Machine m;
    m.gpus = 1;
    m.speed.cpu[rows[i]] = 4;
    m.speed.gpu[rows[i]] = 50;
    Work const changed = work(m);
    CHECK((changed.*stages[i]).cpu == doctest::Approx((w.*stages[i]).cpu / 4));
    CHECK(changed.total() == doctest::Approx(w.total() - 0.75 * (w.*stages[i]).cpu));
    // A GPU is worth so many cores; P2P it does by flops, without summing for both points at once, and P2G by nodes
    // that threads have together.
    double const by_cores = (changed.*stages[i]).gpu * 50 / (w.*stages[i]).cpu;
    CHECK(by_cores > 0.5);
    CHECK(by_cores < (rows[i] == WorkRow::p2p || rows[i] == WorkRow::p2g ? 4 : 1.0001));
    m.gpus = 0;
    CHECK((work(m).*stages[i]).gpu == 0);
  }
}

TEST_CASE("work: lengths that are slow on GPUs cost more there, and plans evade them") {
  Machine gpu = default_machine<double>();
  gpu.gpus = 1;
  gpu.all_stages = true;
  EwaldOptions const o;
  EwaldPlanning p = choose_parameters<double>(o, 1000000, 1000000);
  auto const planes = [&](std::array<int, 3> const& grid) {
    p.grid = grid;
    return predict_work(o, p, 13, 1e6, 1e6, gpu, 1).planes;
  };
  SharedWork const usual = planes({216, 216, 216}), slow = planes({216, 294, 294}), half = planes({216, 216, 294}),
                   columns = planes({294, 216, 216});
  double const more = gpu_length_cost(294) / gpu_length_cost(216);
  CHECK(more > 1.5);
  double const ratio = usual.gpu / usual.cpu;
  CHECK(slow.gpu / slow.cpu == doctest::Approx(more * ratio));
  CHECK(half.gpu / half.cpu == doctest::Approx(0.5 * (1 + more) * ratio));
  CHECK(columns.gpu / columns.cpu == doctest::Approx(ratio));  // by kernels of ours
  for (double count = 1e5; count < 1e7; count *= 1.3) {
    auto const size = std::size_t(count);
    EwaldPlanning const chosen = choose_parameters<double>({.tolerance = 1e-9}, size, size, {}, gpu);
    CHECK(chosen.grid[1] != 294);
  }
}

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

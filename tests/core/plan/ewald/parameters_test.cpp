// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/parameters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace nearfar;

namespace {

bool same(EwaldPlanning const& a, EwaldPlanning const& b) {
  return a.cutoff == b.cutoff && a.split_parameter == b.split_parameter && a.grid == b.grid &&
         a.window_points == b.window_points && a.window_shape == b.window_shape &&
         a.estimated_error == b.estimated_error && a.cells == b.cells && a.blocks == b.blocks && a.slabs == b.slabs &&
         a.columns == b.columns && a.bytes == b.bytes;
}

void check_sane(EwaldOptions const& o, EwaldPlanning const& p, double points) {
  CHECK(p.estimated_error <= o.tolerance);
  CHECK(p.estimated_error > 0.01 * o.tolerance);
  CHECK(p.cutoff > 0);
  CHECK(p.cutoff <= 0.5001 * *std::max_element(o.box.begin(), o.box.end()));
  CHECK(p.window_points >= 4);
  CHECK(p.window_points <= 20);
  double cells = 1, blocks = 1;
  for (int d = 0; d < 3; ++d) {
    CHECK(p.grid[d] % 2 == 0);
    CHECK(p.grid[d] >= p.window_points);
    int rest = p.grid[d];
    for (int prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    CHECK(rest == 1);
    if (o.split == Split::pswf) CHECK(p.grid[d] >= 0.999 * p.split_parameter / p.cutoff * o.box[d] / 3.14159265);
    CHECK(p.cells[d] >= 1);
    CHECK(p.blocks[d] >= 1);
    CHECK(p.blocks[d] <= p.cells[d]);
    CHECK(o.box[d] / p.cells[d] >= 0.09 * std::min(p.cutoff, o.box[d]));  // not so many that they are empty
    cells *= p.cells[d];
    blocks *= p.blocks[d];
  }
  CHECK(cells <= 4.01 * points + 64);
  CHECK(blocks <= 4096);
  if (points > 2000) CHECK(blocks >= 8);
  CHECK(p.slabs >= 1);
  CHECK(p.slabs * 4 <= std::max(4, p.grid[0]));
  CHECK(p.columns >= 1);
  CHECK(p.columns <= p.grid[1]);
  CHECK(p.bytes > 0);
}

}  // namespace

TEST_CASE("parameters: every tolerance, number of points and box gives a sane plan, fast") {
  double slowest = 0;
  for (auto const& box :
       {std::array<double, 3>{1, 1, 1}, {1, 1, 2}, {1, 1.2, 0.9}, {10, 10, 10}, {1, 1, 30}, {100, 1, 1}})
    for (double tolerance : {1e-3, 1e-6, 1e-9, 1e-12})
      for (double points : {1.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7})
        for (int kind = 0; kind < 4; ++kind) {
          EwaldOptions options;
          options.kernel = kind == 0 ? Kernel::stokeslet : kind == 3 ? Kernel::stokes : Kernel::laplace;
          if (kind == 2) options.outputs = Output::potential | Output::gradient;
          options.box = box;
          options.tolerance = tolerance;
          auto const start = std::clock();  // of this process: others may be busy
          auto const p = choose_parameters<double>(options, std::size_t(points), std::size_t(points));
          slowest = std::max(slowest, double(std::clock() - start) / CLOCKS_PER_SEC);
          CAPTURE(box[2]);
          CAPTURE(tolerance);
          CAPTURE(points);
          CAPTURE(kind);
          check_sane(options, p, points);
        }
  MESSAGE("slowest choice: ", slowest * 1e3, " ms");
#ifdef NDEBUG
  CHECK(slowest < 0.2);  // about 0.02 on an idle machine
#endif
}

TEST_CASE("parameters: the Gaussian split, other windows and single precision") {
  for (Split split : {Split::pswf, Split::gaussian})
    for (Window window : {Window::kaiser_bessel, Window::pswf, Window::gaussian})
      for (double tolerance : {1e-2, 1e-5, 1e-9}) {
        EwaldOptions options;
        options.split = split;
        options.window = window;
        options.tolerance = tolerance;
        check_sane(options, choose_parameters<double>(options, 20000, 20000), 20000);
        if (tolerance >= 1e-5) check_sane(options, choose_parameters<float>(options, 20000, 20000), 20000);
      }
}

TEST_CASE("parameters: single precision on large grids") {
  // Grid coordinates are formed in double: nothing of the tolerance is kept for rounding them.
  EwaldOptions options;
  options.kernel = Kernel::laplace;
  options.outputs = Output::potential | Output::gradient;
  options.tolerance = 1e-5;
  auto const p = choose_parameters<float>(options, 10'000'000, 10'000'000);
  CHECK(p.grid[0] >= 400);
  CHECK(p.window_points <= 8);
  CHECK(p.estimated_error < 0.6e-5);
}

TEST_CASE("parameters: pure, and monotone in the tolerance") {
  for (Kernel kernel : {Kernel::stokeslet, Kernel::laplace}) {
    EwaldOptions options;
    options.kernel = kernel;
    double last_parameter = 0, last_error = 1;
    int last_window = 0;
    for (double tolerance = 1e-2; tolerance > 0.9e-12; tolerance *= 0.1) {
      options.tolerance = std::max(tolerance, 1e-12);
      auto const p = choose_parameters<double>(options, 100000, 100000);
      CHECK(same(p, choose_parameters<double>(options, 100000, 100000)));
      CHECK(p.split_parameter > last_parameter);
      CHECK(p.window_points >= last_window);
      CHECK(p.estimated_error < last_error);
      last_parameter = p.split_parameter;
      last_window = p.window_points;
      last_error = p.estimated_error;
    }
  }
}

TEST_CASE("parameters: more points shorten the cutoff, slow pairs too, and lengths scale with the box") {
  EwaldOptions options;
  double last = 1;
  for (double points : {1e3, 1e4, 1e5, 1e6}) {
    double const cutoff = choose_parameters<double>(options, std::size_t(points), std::size_t(points)).cutoff;
    CHECK(cutoff < last);
    last = cutoff;
  }
  Machine slow_pairs;
  slow_pairs.speed.cpu[WorkRow::p2p] = 0.05;
  auto const unit = choose_parameters<double>(options, 100000, 100000);
  CHECK(choose_parameters<double>(options, 100000, 100000, {}, slow_pairs).cutoff < unit.cutoff);
  options.box = {10, 10, 10};
  auto const scaled = choose_parameters<double>(options, 100000, 100000);
  CHECK(scaled.cutoff == doctest::Approx(10 * unit.cutoff));
  CHECK(scaled.grid == unit.grid);
  CHECK(scaled.estimated_error / unit.estimated_error == doctest::Approx(1));
}

TEST_CASE("parameters: what is set by hand is kept, and the rest follows") {
  EwaldOptions options;
  options.tolerance = 1e-6;
  options.cutoff = 0.11;
  auto p = choose_parameters<double>(options, 10000, 10000);
  CHECK(p.cutoff == 0.11);
  CHECK(p.estimated_error <= 1e-6);
  options.window_points = 9;
  p = choose_parameters<double>(options, 10000, 10000);
  CHECK(p.window_points == 9);
  CHECK(p.estimated_error <= 1e-6);

  EwaldOptions grid;
  grid.grid = std::array{50, 54, 60};
  p = choose_parameters<double>(grid, 10000, 10000);
  CHECK(p.grid == *grid.grid);
  CHECK(p.estimated_error <= 1e-6);

  EwaldOptions split;
  split.split_parameter = 20;
  p = choose_parameters<double>(split, 10000, 10000);
  CHECK(p.split_parameter == 20);
  CHECK(p.estimated_error <= 1e-6);

  // All by hand: nothing left to choose but the shape of the window. Tolerance missed, and said so.
  EwaldOptions all;
  all.cutoff = 0.2;
  all.grid = std::array{24, 24, 24};
  all.split_parameter = 8;
  all.window_points = 4;
  p = choose_parameters<double>(all, 10000, 10000);
  CHECK(p.cutoff == 0.2);
  CHECK(p.split_parameter == 8);
  CHECK(p.window_points == 4);
  CHECK(p.estimated_error > 1e-4);
  CHECK(p.estimated_error < 1);
  all.count = 10000;
  CHECK(p.estimated_error / estimate_far_error(all, p) == doctest::Approx(2));  // with room for scatter
}

TEST_CASE("parameters: those of a plan, set by hand, give that plan again, the shape of its window too") {
  for (auto const kernel : {Kernel::stokeslet, Kernel::laplace})
    for (auto const periodicity : {Periodicity::xyz, Periodicity::xy, Periodicity::x, Periodicity::none})
      for (bool const cutoff : {false, true}) {
        CAPTURE(name(kernel));
        CAPTURE(int(periodicity));
        CAPTURE(cutoff);
        EwaldOptions options{.kernel = kernel, .periodicity = periodicity, .box = {1, 1.2, 0.9}, .tolerance = 1e-5};
        options.near_precision = NearPrecision::double_;
        if (cutoff) options.cutoff = 0.12;
        auto const p = choose_parameters<double>(options, 20000, 20000);
        options.cutoff = p.cutoff;
        options.split_parameter = p.split_parameter;
        options.grid = p.grid;
        options.window_points = p.window_points;
        auto const again = choose_parameters<double>(options, 20000, 20000);
        CHECK(again.window_shape == doctest::Approx(p.window_shape).epsilon(1e-12));
        CHECK(again.estimated_error == doctest::Approx(p.estimated_error).epsilon(1e-12));
      }
}

TEST_CASE("parameters: a grid too coarse for the cutoff gives the best that it holds") {
  EwaldOptions options;
  options.tolerance = 1e-9;
  options.cutoff = 0.2;
  options.grid = std::array{16, 16, 16};
  auto const p = choose_parameters<double>(options, 1000, 1000);
  CHECK(p.split_parameter / p.cutoff <= 3.1416 * 16);
  CHECK(p.estimated_error > 1e-9);
  CHECK(p.estimated_error < 0.1);
}

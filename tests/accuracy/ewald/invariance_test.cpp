// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

using namespace nearfar;

namespace {

constexpr oracle::Box box{1, 1.2, .9};
constexpr double tolerance = 1e-9;

// With zero face flux, the field of sources that are not balanced depends on the cell and on where the points are.
EwaldOptions const options{.tolerance = tolerance, .zero_mode = ZeroMode::zero_mean_flow};

/// Rows of `width` numbers in another order.
std::vector<double> reordered(std::vector<double> const& rows, std::vector<std::size_t> const& order) {
  std::size_t const width = rows.size() / order.size();
  std::vector<double> result(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) std::copy_n(&rows[width * order[i]], width, &result[width * i]);
  return result;
}

/// Vectors in rows: the components from `first` on, three by three, in the order of `axes`.
void turn(std::vector<double>& rows, std::size_t width, std::size_t first, std::array<std::size_t, 3> const& axes) {
  for (std::size_t row = 0; row < rows.size(); row += width)
    for (std::size_t v = row + first; v + 3 <= row + width; v += 3) {
      std::array const old{rows[v], rows[v + 1], rows[v + 2]};
      for (std::size_t d = 0; d < 3; ++d) rows[v + d] = old[axes[d]];
    }
}

}  // namespace

TEST_CASE("property: points moved together, round the cell where it repeats, anywhere where it does not") {
  Runtime const runtime;
  for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy})
    for (Kernel kernel : every_kernel) {
      auto const here = random_system(periodicity, kernel, box, 300, 100, 51, false);
      auto const u = solve_whole(runtime, here, options);
      for (auto const& shift : {std::array{.37, .12, .81}, {-3.0, 2.4, 9.0}}) {
        System there = here;
        for (std::size_t d = std::size_t(periodicity); d < 3; ++d) there.box[d] = 0;  // follows the points
        for (auto* points : {&there.sources, &there.targets})
          for (std::size_t i = 0; i < points->size(); ++i) (*points)[i] += shift[i % 3];
        check_error(title(here) + ", moved", here, solve_whole(runtime, there, options), u, 2 * tolerance);
      }
    }
}

TEST_CASE("property: the order of sources and of targets does not matter") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : every_kernel) {
      auto const system = random_system(periodicity, kernel, box, 500, 200, 52, false);
      std::vector<std::size_t> sources(500), targets(200);
      std::iota(sources.begin(), sources.end(), std::size_t(0));
      std::iota(targets.begin(), targets.end(), std::size_t(0));
      std::mt19937 generator(53);
      for (auto* order : {&sources, &targets})
        for (std::size_t i = order->size() - 1; i > 0; --i) std::swap((*order)[i], (*order)[generator() % (i + 1)]);
      System other = system;
      other.sources = reordered(system.sources, sources);
      other.strengths = reordered(system.strengths, sources);
      other.targets = reordered(system.targets, targets);
      auto const expected = reordered(solve_whole(runtime, system, options), targets);
      check_error(title(system) + ", reordered", system, solve_whole(runtime, other, options), expected, 1e-12);
    }
}

TEST_CASE("property: axes exchanged") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : every_kernel)
      for (auto const& axes : {std::array<std::size_t, 3>{1, 0, 2}, {0, 2, 1}, {1, 2, 0}}) {
        bool same = true;  // periodic axes stay among themselves
        for (std::size_t d = 0; d < 3; ++d)
          same &= (d < std::size_t(periodicity)) == (axes[d] < std::size_t(periodicity));
        if (!same) continue;
        auto const system = random_system(periodicity, kernel, box, 300, 100, 54, false);
        std::size_t const row = oracle::strength_row(kernel), columns = oracle::result_row(kernel, true);
        System turned = system;
        for (std::size_t d = 0; d < 3; ++d) turned.box[d] = box[axes[d]];
        turn(turned.sources, 3, 0, axes);
        turn(turned.targets, 3, 0, axes);
        turn(turned.strengths, row, 0, axes);
        // Transforms along rows and along planes cost differently, so that another plan may be best for the other axes;
        // here it is the same one, whose grid turns with them. Where the points lie between its nodes follows from the
        // cells, which are finer along z: so the plan is as fine as they come.
        EwaldOptions same_plan = options;
        same_plan.tolerance = 1e-12;
        auto const outcome = solve(runtime, system, same_plan);
        auto const& chosen = outcome.parameters;
        same_plan.cutoff = chosen.cutoff;
        same_plan.split_parameter = chosen.split_parameter;
        same_plan.window_points = chosen.window_points;
        same_plan.grid = {chosen.grid[axes[0]], chosen.grid[axes[1]], chosen.grid[axes[2]]};
        auto expected = outcome.whole;
        turn(expected, columns, columns - 3, axes);
        auto const u = solve_whole(runtime, turned, same_plan);
        check_error(title(system) + ", turned", system, u, expected, 1e-12);
      }
}

TEST_CASE("property: the sum is linear in the strengths") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : every_kernel) {
      auto const f = random_system(periodicity, kernel, box, 500, 200, 55);
      System g = f, both = f;
      g.strengths = random_strengths(kernel, 500, 56);
      std::size_t const row = oracle::strength_row(kernel);
      for (std::size_t i = 0; i < f.strengths.size(); ++i) {
        // Double layers are linear in q, and in n; here n, the last three, stays.
        if (row >= 6 && i % row >= row - 3) g.strengths[i] = f.strengths[i];
        else both.strengths[i] = 3 * f.strengths[i] - .5 * g.strengths[i];
      }
      // To rounding in double precision.
      EwaldOptions const coarse{
          .tolerance = 1e-5, .near_precision = NearPrecision::double_, .far_precision = FarPrecision::double_};
      auto expected = solve_whole(runtime, f, coarse);
      auto const v = solve_whole(runtime, g, coarse);
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 3 * expected[i] - .5 * v[i];
      check_error(title(f) + ", 3 f - g / 2", f, solve_whole(runtime, both, coarse), expected, 1e-12);
    }
}

TEST_CASE("property: reciprocity") {
  // g . S f = f . S g, of targets that are other points too: to rounding and whatever the tolerance, because spreading
  // and gathering use the same window.
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : {Kernel::stokeslet, Kernel::laplace})
      for (Split split : every_split) {
        auto const there = random_system(periodicity, kernel, box, 500, 300, 57, false);
        System back = there;
        std::swap(back.sources, back.targets);
        back.strengths = random_strengths(kernel, 300, 58);
        std::size_t const row = oracle::strength_row(kernel), columns = oracle::result_row(kernel, true);
        auto const dot = [&](std::vector<double> const& strengths, std::vector<double> const& u, double& size) {
          double sum = 0;
          for (std::size_t i = 0; i < strengths.size(); ++i) {
            double const term = strengths[i] * u[i / row * columns + i % row];
            sum += term;
            size += std::abs(term);
          }
          return sum;
        };
        EwaldOptions const coarse{.tolerance = 1e-4,
                                  .count = 500,
                                  .split = split,
                                  .near_precision = NearPrecision::double_,
                                  .far_precision = FarPrecision::double_};
        double size = 0;
        double const forth = dot(back.strengths, solve_whole(runtime, there, coarse), size);
        double const home = dot(there.strengths, solve_whole(runtime, back, coarse), size);
        CAPTURE(title(there));
        CAPTURE(forth);
        CHECK(std::abs(forth - home) < 1e-12 * size);
      }
}

TEST_CASE("property: two cells side by side, where the box repeats") {
  // All directions periodic: ewald_symmetry_test.
  Runtime const runtime;
  for (Periodicity periodicity : {Periodicity::x, Periodicity::xy})
    for (Kernel kernel : every_kernel) {
      auto const one = random_system(periodicity, kernel, box, 300, 100, 59);
      auto const u = solve_whole(runtime, one, options);
      for (std::size_t d = 0; d < std::size_t(periodicity); ++d) {
        System two = one;
        two.box[d] *= 2;
        for (std::size_t i = 0; i < one.sources.size(); ++i)
          two.sources.push_back(one.sources[i] + (i % 3 == d ? one.box[d] : 0));
        two.strengths.insert(two.strengths.end(), one.strengths.begin(), one.strengths.end());
        check_error(title(one) + ", two cells along " + "xyz"[d], one, solve_whole(runtime, two, options), u,
                    2 * tolerance);
      }
    }
}

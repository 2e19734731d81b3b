// SPDX-License-Identifier: BSD-3-Clause
// What must hold of the multipole method whatever the sum is, on small random problems; no reference but other solves.
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/fmm/fmm_solve.hpp"
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <string>

using namespace nearfar;

namespace {

constexpr oracle::Box box{1, 1.2, .9};
constexpr std::size_t sources = 400, targets = 250;

/// What the multipole method can sum: all kernels in free space, charges in periodic cells too.
std::vector<System> every_system(unsigned seed, bool coinciding = false) {
  std::vector<System> all;
  for (Kernel kernel : every_kernel)
    all.push_back(random_system(Periodicity::none, kernel, box, sources, targets, seed, coinciding));
  all.push_back(random_system(Periodicity::xyz, Kernel::laplace, box, sources, targets, seed, coinciding));
  return all;
}

/// Tolerance, and options of trees that such few points would not get by themselves.
struct Asked {
  double tolerance;
  FmmOptions options;
};
std::vector<Asked> every_request() {
  std::vector<Asked> all;
  for (double tolerance : {1e-3, 1e-6}) {
    all.push_back({tolerance, {.tolerance = tolerance}});
    all.push_back({tolerance, {.tolerance = tolerance, .depth = 2}});
    all.push_back({tolerance, {.tolerance = tolerance, .capacity = 12}});
  }
  return all;
}

std::vector<std::size_t> random_order(std::size_t count, unsigned seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::mt19937 generator(seed);
  for (std::size_t i = count - 1; i > 0; --i) std::swap(order[i], order[generator() % (i + 1)]);
  return order;
}

std::vector<double> reordered(std::vector<double> const& rows, std::vector<std::size_t> const& order) {
  std::size_t const width = rows.size() / order.size();
  std::vector<double> result(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) std::copy_n(&rows[width * order[i]], width, &result[width * i]);
  return result;
}

/// The vectors of rows: (x, y, z) becomes (z, x, y), and z changes its sign if `mirror`.
void turn(std::vector<double>& rows, std::size_t width, std::size_t first, bool mirror) {
  for (std::size_t row = 0; row < rows.size(); row += width)
    for (std::size_t v = row + first; v + 3 <= row + width; v += 3) {
      std::rotate(&rows[v], &rows[v + 2], &rows[v] + 3);
      if (mirror) rows[v + 2] = -rows[v + 2];
    }
}

std::string what(System const& s, char const* property) { return "FMM, " + title(s) + ", " + property; }

}  // namespace

TEST_CASE("property: fmm, the order of sources and of targets") {
  Runtime const runtime;
  for (System const& s : every_system(81))
    for (auto [tolerance, options] : every_request()) {
      options.near_precision = NearPrecision::double_;  // then the results differ by rounding alone
      auto const from = random_order(sources, 82), at = random_order(targets, 83);
      System other = s;
      other.sources = reordered(s.sources, from);
      other.strengths = reordered(s.strengths, from);
      other.targets = reordered(s.targets, at);
      check_error(what(s, "reordered"), s, solve_fmm(runtime, other, options),
                  reordered(solve_fmm(runtime, s, options), at), 1e-12);
    }
}

TEST_CASE("property: fmm, points moved together and axes turned") {
  Runtime const runtime;
  for (System const& s : every_system(84))
    for (auto const& [tolerance, options] : every_request()) {
      auto const u = solve_fmm(runtime, s, options);
      System moved = s;
      for (auto* points : {&moved.sources, &moved.targets})
        for (std::size_t i = 0; i < points->size(); ++i) (*points)[i] += std::array{.37, -2.4, .81}[i % 3];
      check_error(what(s, "moved"), s, solve_fmm(runtime, moved, options), u, 2 * tolerance);

      bool const mirror = s.periodicity == Periodicity::none;
      std::size_t const row = oracle::strength_row(s.kernel), columns = oracle::result_row(s.kernel, true);
      System turned = s;
      turned.box = {s.box[2], s.box[0], s.box[1]};
      turn(turned.sources, 3, 0, mirror);
      turn(turned.targets, 3, 0, mirror);
      turn(turned.strengths, row, 0, mirror);
      auto expected = u;
      turn(expected, columns, columns - 3, mirror);
      check_error(what(s, "turned"), s, solve_fmm(runtime, turned, options), expected, 2 * tolerance);
    }
}

TEST_CASE("property: fmm, the sum is linear in the strengths, and a sum over groups of sources") {
  Runtime const runtime;
  for (System const& f : every_system(85))
    for (auto [tolerance, options] : every_request()) {
      options.near_precision = NearPrecision::double_;
      System g = f, both = f, first = f, rest = f;
      g.strengths = random_strengths(f.kernel, sources, 86);
      std::size_t const row = oracle::strength_row(f.kernel), cut = 3 * sources / 4;
      for (std::size_t i = 0; i < f.strengths.size(); ++i) {
        // Double layers are linear in q, and in n; here n, the last three, stays.
        if (row >= 6 && i % row >= row - 3) g.strengths[i] = f.strengths[i];
        else both.strengths[i] = 3 * f.strengths[i] - .5 * g.strengths[i];
      }
      auto const u = solve_fmm(runtime, f, options);
      auto const v = solve_fmm(runtime, g, options);
      auto expected = u;
      for (std::size_t i = 0; i < u.size(); ++i) expected[i] = 3 * u[i] - .5 * v[i];
      check_error(what(f, "3 f - g / 2"), f, solve_fmm(runtime, both, options), expected, 1e-11);

      first.sources.resize(3 * cut);
      first.strengths.resize(row * cut);
      rest.sources.erase(rest.sources.begin(), rest.sources.begin() + std::ptrdiff_t(3 * cut));
      rest.strengths.erase(rest.strengths.begin(), rest.strengths.begin() + std::ptrdiff_t(row * cut));
      auto sum = solve_fmm(runtime, first, options);
      auto const more = solve_fmm(runtime, rest, options);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
      check_error(what(f, "two groups of sources"), f, sum, u, 4 * tolerance);
    }
}

TEST_CASE("property: fmm, two cells side by side, where the cell repeats") {
  Runtime const runtime;
  System one = random_system(Periodicity::xyz, Kernel::laplace, {1, 1.2, 1.1}, sources, targets, 87);
  for (double tolerance : {1e-3, 1e-6}) {
    auto const u = solve_fmm(runtime, one, {.tolerance = tolerance});
    System two = one;
    two.box[0] *= 2;
    for (std::size_t i = 0; i < one.sources.size(); ++i)
      two.sources.push_back(one.sources[i] + (i % 3 == 0 ? one.box[0] : 0));
    two.strengths.insert(two.strengths.end(), one.strengths.begin(), one.strengths.end());
    check_error(what(one, "two cells"), one, solve_fmm(runtime, two, {.tolerance = tolerance}), u, 2 * tolerance);
  }
}

TEST_CASE("property: fmm and Ewald, each to its tolerance, are the same sum") {
  Runtime const runtime;
  for (bool coinciding : {false, true})
    for (System const& s : every_system(88, coinciding))
      for (auto const& [tolerance, options] : every_request()) {
        auto const u = solve_whole(runtime, s, {.tolerance = tolerance});
        check_error(what(s, "and Ewald"), s, solve_fmm(runtime, s, options), u, 2 * tolerance);
      }
}

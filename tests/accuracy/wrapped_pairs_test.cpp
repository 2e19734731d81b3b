// SPDX-License-Identifier: BSD-3-Clause
// What single precision loses of points that are given whole periods away, which it rounds once more in the box.
#include "tests/accuracy/measure.hpp"
#include "tests/accuracy/solve_views.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <span>
#include <vector>

using namespace nearfar;
using namespace nearfar::accuracy;

namespace {

struct Rows {
  std::vector<double> sources, targets, strengths;
};

/// The solve of a plan in single precision, of floats or of views of doubles.
template <class Plan>
Answer single(Plan plan, Rows const& rows, int width, int columns, bool views) {
  std::vector<float> const from(rows.sources.begin(), rows.sources.end()), to(rows.targets.begin(), rows.targets.end()),
      strengths(rows.strengths.begin(), rows.strengths.end());
  auto const points = views ? plan.set_points(view(rows.sources, 3), view(rows.targets, 3))
                            : plan.set_points(std::span<float const>(from), std::span<float const>(to));
  std::vector<float> u(points.targets() * std::size_t(columns));
  REQUIRE(strengths.size() * 3 == std::size_t(width) * from.size());
  auto solve = plan.submit(points, strengths, u);
  solve.wait();
  return {{u.begin(), u.end()}, solve.report().sampled_error};
}

}  // namespace

TEST_CASE("whole periods away: what single precision loses of close pairs is told, of floats and of doubles") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  oracle::Box const box{1.1, 1.3, 1.2};
  int missing = 0;
  for (Kernel const kernel : {Kernel::stokeslet, Kernel::doublet, Kernel::laplace})
    for (Periodicity const periodicity : {Periodicity::x, Periodicity::xy, Periodicity::xyz})
      for (double const periods : {1.6, 30.0, 1000.0})
        for (bool const views : {false, true})
          for (bool const multipoles : {false, true}) {
            if (multipoles && (kernel != Kernel::laplace || periodicity != Periodicity::xyz)) continue;
            auto const repeats = std::size_t(periodicity);
            auto const given = [&](double x) { return views ? x : double(float(x)); };
            auto const away = [&](std::size_t d) {
              return d < repeats ? std::round((2 * uniform() - 1) * periods) * box[d] : 0;
            };
            Rows rows;
            for (int i = 0; i < 300; ++i)
              for (std::size_t d = 0; d < 3; ++d) {
                rows.sources.push_back(given(box[d] * uniform() + away(d)));
                rows.targets.push_back(given(box[d] * uniform() + away(d)));
              }
            for (int i = 0; i < 300 * strength_components(kernel); ++i)
              rows.strengths.push_back(double(float(2 * uniform() - 1)));
            // One target of the many is as close to a source as the digits that floats have there allow.
            double const close = std::max(2e-4, 3e-7 * periods);
            for (std::size_t d = 0; d < 3; ++d)
              rows.targets[450 + d] = given(rows.sources[30 + d] + close * (d == 1 ? 1.3 : 0.8) + away(d));
            Outputs const outputs =
                kernel == Kernel::laplace ? Output::potential | Output::gradient : Output::velocity | Output::pressure;
            int const columns = result_components(kernel, outputs), width = strength_components(kernel),
                      first = kernel == Kernel::laplace ? 1 : 3;
            double const tolerance = 2e-5;
            EwaldOptions options{.kernel = kernel, .outputs = outputs, .periodicity = periodicity, .box = box};
            for (std::size_t d = repeats; d < 3; ++d) options.box[d] = 0;
            options.tolerance = 1e-10;
            Ewald exact(runtime, options);
            auto const points = exact.set_points(rows.sources, rows.targets);
            std::vector<double> u(points.targets() * std::size_t(columns));
            exact.submit(points, rows.strengths, u).wait();
            options.tolerance = tolerance;
            Answer const found = multipoles ? single(BasicFmm<float>(runtime, {.kernel = kernel,
                                                                               .outputs = outputs,
                                                                               .periodicity = periodicity,
                                                                               .box = box,
                                                                               .tolerance = tolerance}),
                                                     rows, width, columns, views)
                                            : single(BasicEwald<float>(runtime, options), rows, width, columns, views);
            double const missed = std::max(oracle::relative_error(found.rows, u, columns, 0, first),
                                           oracle::relative_error(found.rows, u, columns, first, columns - first));
            CAPTURE(name(kernel));
            CAPTURE(name(periodicity));
            CAPTURE(periods);
            CAPTURE(views);
            CAPTURE(multipoles);
            missing += missed > tolerance ? 1 : 0;
            CHECK((missed <= tolerance || found.told > 0.95 * missed));
            CHECK(found.told < std::max(5 * missed, tolerance));
          }
  CHECK(missing >= 40);  // of 60
}

TEST_CASE(
    "a little below the box: single precision keeps the digits of close pairs or tells, however many cells there are") {
  Runtime const runtime;
  std::mt19937 random(5);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  EwaldOptions options{
      .kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .box = {1, 1, 1}, .tolerance = 1e-10};
  Ewald exact(runtime, options);
  options.tolerance = 1e-4;
  std::set<int> cells;
  for (double const cutoff : {0.5, 0.3, 0.25, 0.19, 0.16, 0.13})
    for (double const below : {0.1, 0.24, 0.27, 0.32, 0.4, 0.49}) {
      constexpr std::size_t count = 400;
      std::vector<float> x, strengths(count, 1e-3F);
      for (std::size_t i = 0; i < 3 * count; ++i) x.push_back(float(uniform()));
      x[0] = float(-below);
      for (std::size_t d = 0; d < 3; ++d) x[3 + d] = x[d] + float(3e-5 * (1 + uniform()));
      strengths[0] = strengths[1] = 1;
      std::vector<double> const at(x.begin(), x.end()), charges(strengths.begin(), strengths.end());
      std::vector<double> right(4 * count);
      exact.submit(exact.set_points(at), charges, right).wait();
      options.cutoff = cutoff;
      EwaldSingle plan(runtime, options);
      std::vector<float> found(4 * count);
      auto solve = plan.submit(plan.set_points(x), strengths, found);
      solve.wait();
      cells.insert(plan.parameters().cells[0]);
      std::vector<double> const rows(found.begin(), found.end());
      double const missed = oracle::relative_error(rows, right, 4, 1, 3);
      CAPTURE(cutoff);
      CAPTURE(below);
      CHECK((missed <= options.tolerance || solve.report().sampled_error > 0.95 * missed));
    }
  for (int const some : {3, 5}) CHECK(cells.contains(some));  // of four, one alone is counted from the upper face
}

TEST_CASE("across a face whose edge single precision lacks: what multipole sums lose of close pairs is told") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  for (double const edge : {1.0, 1.2})
    for (double const apart : {1e-3, 1e-4}) {
      System s{Kernel::laplace, {edge, edge, edge}, {}, {}, {}, Periodicity::xyz};
      for (int i = 0; i < 900; ++i) s.sources.push_back(double(float(edge * uniform())));
      for (int i = 0; i < 300; ++i) s.strengths.push_back(i % 2 == 0 ? 1 : -1);
      s.sources[0] = double(float(apart / 2));
      s.sources[3] = double(float(edge - apart / 2));
      for (std::size_t d : {1, 2}) s.sources[3 + d] = s.sources[d];
      s.targets = s.sources;
      Answer const found = fmm<float>(runtime, s, 1e-5);
      double const missed = oracle::relative_error(found.rows, ewald<double>(runtime, s, 1e-11).rows, 4, 1, 3);
      CAPTURE(edge);
      CAPTURE(apart);
      if (edge == 1) CHECK(missed < 1e-5);
      else CHECK(missed > 1e-5);
      CHECK(found.told > (edge == 1 ? 0 : missed));
      CHECK(found.told < std::max(1e-5, 5 * missed));
    }
}

TEST_CASE("a pair across a straight face: its forces cancel in a virial by multipoles, so no miss is told") {
  Runtime const runtime;
  std::mt19937 random(3);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  std::vector<double> x(3 * 300), charges(300);
  for (double& v : x) v = uniform();
  for (std::size_t i = 0; i < charges.size(); ++i) charges[i] = i % 2 == 0 ? 1 : -1;
  x[0] = 0.4e-3, x[3] = 1 - 0.6e-3;
  x[4] = x[1] + 1e-4, x[5] = x[2];
  constexpr double tolerance = 1e-3;
  auto const report = [&]<class T>(auto plan, T) {
    auto const points = plan.set_points(view(x, 3));
    std::vector<T> const q(charges.begin(), charges.end());
    std::vector<T> u(4 * points.targets());
    return plan.submit(points, q, u).report();
  };
  Outputs const outputs = Output::potential | Output::gradient;
  auto const found = report(BasicFmm<float>(runtime, {.kernel = Kernel::laplace,
                                                      .outputs = outputs,
                                                      .periodicity = Periodicity::xyz,
                                                      .box = {1, 1, 1},
                                                      .tolerance = tolerance,
                                                      .virial = true}),
                            0.0f);
  auto const exact = report(Ewald(runtime, {.kernel = Kernel::laplace,
                                            .outputs = outputs,
                                            .periodicity = Periodicity::xyz,
                                            .box = {1, 1, 1},
                                            .tolerance = 1e-9,
                                            .virial = true}),
                            0.0);
  double wrong = 0, largest = 0;
  for (std::size_t m = 0; m < exact.virial->size(); ++m) {
    wrong = std::max(wrong, std::abs((*found.virial)[m] - (*exact.virial)[m]));
    largest = std::max(largest, std::abs((*exact.virial)[m]));
  }
  CHECK(wrong < tolerance * largest);
  CHECK(found.sampled_error <= tolerance);
}

// SPDX-License-Identifier: BSD-3-Clause
// What rounding of points to single precision moves pairs by: told by the pairs and strengths that it matters to.
#include "tests/accuracy/measure.hpp"
#include "tests/accuracy/solve_views.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace nearfar;
using namespace nearfar::accuracy;

TEST_CASE("close to sources: what single precision moves points by is told by the pairs that it matters to") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  struct Case {
    Kernel kernel;
    Periodicity periodicity;
    oracle::Box box;
    double close;  // distance of the targets; 0: they are the sources
    double tolerance;
  };
  for (Case const& c : {Case{Kernel::dipole, Periodicity::xyz, {1, 6.4, 1.8}, 0.0013, 3e-5},
                        Case{Kernel::rotlet, Periodicity::y, {1, 5.7, 0.55}, 0, 1e-5},
                        Case{Kernel::laplace, Periodicity::none, {1, 6.4, 1.8}, 0.0005, 1e-5}})
    for (bool multipoles : {false, true}) {
      if (multipoles && c.kernel != Kernel::laplace) continue;
      std::vector<double> x(1200), targets, strengths(std::size_t(400 * strength_components(c.kernel)));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = c.box[i % 3] * uniform();
      for (double& s : strengths) s = 2 * uniform() - 1;
      // Most targets are far from sources; a sample would hardly meet the one that is not.
      for (std::size_t i = 0; c.close > 0 && i < x.size(); ++i) targets.push_back(c.box[i % 3] * uniform());
      for (std::size_t d = 0; c.close > 0 && d < 3; ++d) targets[600 + d] = x[900 + d] + (d == 1 ? c.close : 0);
      Outputs const outputs = (c.kernel == Kernel::rotlet ? Output::velocity : Output::potential) | Output::gradient;
      int const columns = result_components(c.kernel, outputs), field = c.kernel == Kernel::rotlet ? 3 : 1;
      auto const sums = [&](auto plan, std::vector<double> const& from, std::vector<double> const& to) {
        auto const points = to.empty() ? plan.set_points(view(from, 3)) : plan.set_points(view(from, 3), view(to, 3));
        std::vector<double> u(points.targets() * std::size_t(columns));
        auto solve = plan.submit(points, view(strengths, strength_components(c.kernel)),
                                 RowsOut::packed(u.data(), points.targets(), columns));
        solve.wait();
        return Answer{u, solve.report().sampled_error};
      };
      EwaldOptions const options{
          .kernel = c.kernel, .outputs = outputs, .periodicity = c.periodicity, .box = c.box, .tolerance = c.tolerance};
      auto const single = [&](std::vector<double> const& from, std::vector<double> const& to) {
        if (!multipoles) return sums(BasicEwald<float>(runtime, options), from, to);
        return sums(BasicFmm<float>(runtime, {.kernel = c.kernel, .outputs = outputs, .tolerance = c.tolerance}), from,
                    to);
      };
      EwaldOptions fine = options;
      fine.tolerance = 1e-10;
      auto const error = [&](Answer const& found, std::vector<double> const& from, std::vector<double> const& to) {
        return oracle::relative_error(found.rows, sums(BasicEwald<double>(runtime, fine), from, to).rows, columns,
                                      field, columns - field);
      };
      CAPTURE(name(c.kernel));
      CAPTURE(multipoles);
      Answer const moved = single(x, targets);
      double const missed = error(moved, x, targets);
      CHECK(missed > c.tolerance);
      CHECK(moved.told > 0.7 * missed);
      CHECK(moved.told < 5 * missed);
      // Points that single precision does not move are solved to the tolerance, and nothing else is said.
      for (auto* rows : {&x, &targets})
        for (double& coordinate : *rows) coordinate = double(float(coordinate));
      Answer const exact = single(x, targets);
      CHECK(error(exact, x, targets) < c.tolerance);
      CHECK(exact.told < c.tolerance);
    }
}

TEST_CASE("close to images of sources: what single precision moves points by is told across every face") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  using Rows = std::array<std::array<double, 3>, 3>;
  // No combination of whole rows is shorter, so that the plan's cell has these faces.
  Rows const skewed{{{1, 0, 0}, {0.45, 1.2, 0}, {-0.3, 0.2, 0.9}}}, straight{{{1, 0, 0}, {0, 1.2, 0}, {0, 0, 0.9}}};
  struct Case {
    Rows const& rows;
    std::size_t across;
    Periodicity periodicity;
  };
  for (auto const& [rows, across, periodicity] :
       {Case{skewed, 0, Periodicity::xyz}, Case{skewed, 1, Periodicity::xyz}, Case{skewed, 2, Periodicity::xyz},
        Case{straight, 0, Periodicity::x}, Case{straight, 1, Periodicity::yz}, Case{straight, 2, Periodicity::xyz}}) {
    bool const is_skewed = &rows == &skewed;
    CAPTURE(is_skewed);
    CAPTURE(across);
    std::vector<double> sources, targets, strengths(1200);
    for (double& s : strengths) s = 2 * uniform() - 1;
    for (auto* points : {&sources, &targets})
      for (int i = 0; i < 400; ++i) {
        double at[3] = {uniform(), uniform(), uniform()};
        if (i == 300) at[across] = 2e-4;
        for (std::size_t c = 0; c < 3; ++c)
          points->push_back(at[0] * rows[0][c] + at[1] * rows[1][c] + at[2] * rows[2][c]);
      }
    // Beside the image of a source on the opposite face, itself in the cell: no whole period brings the two together.
    for (std::size_t c = 0; c < 3; ++c) targets[600 + c] = sources[900 + c] + rows[across][c] * (1 - 0.0004);
    EwaldOptions options{.kernel = Kernel::dipole,
                         .outputs = Output::potential | Output::gradient,
                         .periodicity = periodicity,
                         .tolerance = 1e-5};
    if (is_skewed) options.cell = rows;
    else options.box = {rows[0][0], rows[1][1], rows[2][2]};
    auto const sums = [&](auto plan) {
      auto const points = plan.set_points(view(sources, 3), view(targets, 3));
      std::vector<double> u(4 * points.targets());
      auto solve = plan.submit(points, view(strengths, 3), RowsOut::packed(u.data(), points.targets(), 4));
      solve.wait();
      return Answer{u, solve.report().sampled_error};
    };
    Answer const single = sums(BasicEwald<float>(runtime, options));
    options.tolerance = 1e-10;
    auto const error = [&](Answer const& found) {
      return oracle::relative_error(found.rows, sums(BasicEwald<double>(runtime, options)).rows, 4, 1, 3);
    };
    double const missed = error(single);
    CHECK(missed > 1e-5);
    CHECK(single.told > 0.7 * missed);
    CHECK(single.told < 5 * missed);
    // Of points that are floats only the rows of a skewed cell are rounded, by which images are shifted.
    std::vector<float> const from(sources.begin(), sources.end()), to(targets.begin(), targets.end()),
        moments(strengths.begin(), strengths.end());
    sources.assign(from.begin(), from.end());
    targets.assign(to.begin(), to.end());
    EwaldOptions coarse = options;
    coarse.tolerance = 1e-5;
    BasicEwald<float> plan(runtime, coarse);
    auto const points = plan.set_points(std::span<float const>(from), std::span<float const>(to));
    std::vector<float> u(4 * points.targets());
    auto solve = plan.submit(points, moments, u);
    solve.wait();
    double const left = error({{u.begin(), u.end()}, 0}), told = solve.report().sampled_error;
    CAPTURE(left);
    CAPTURE(told);
    CHECK((is_skewed ? left < 1e-5 || told > 0.7 * left : left < 1e-5));
    CHECK(told < std::max(1e-5, 5 * left));
  }
}

TEST_CASE("pairs that nearly cancel: what single precision moves them by is told by the field that is left") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  // The targets are far from all pairs, whose members are much closer to each other.
  System s{Kernel::laplace, {1, 1, 1}, {}, {}, {}, Periodicity::none};
  for (int pair = 0; pair < 100; ++pair) {
    double const at[3] = {uniform(), uniform(), 0.4 * uniform()};
    for (int sign : {1, -1}) {
      for (std::size_t d = 0; d < 3; ++d) s.sources.push_back(at[d] + sign * 3e-5 * uniform());
      s.strengths.push_back(sign);
    }
  }
  for (int i = 0; i < 200; ++i)
    for (std::size_t d = 0; d < 3; ++d) s.targets.push_back(d == 2 ? 0.6 + 0.4 * uniform() : uniform());
  auto const exact = whole_reference(s);
  for (bool multipoles : {false, true}) {
    CAPTURE(multipoles);
    Answer const single = multipoles ? fmm<float>(runtime, s, 1e-4) : ewald<float>(runtime, s, 1e-4);
    double missed = 0;
    for (int gradient : {0, 1})
      missed = std::max(missed, oracle::relative_error(single.rows, exact, 4, gradient, gradient == 0 ? 1 : 3));
    CHECK(missed > 1e-4);
    CHECK(single.told > 0.8 * missed);
    if (multipoles) CHECK(single.told < 5 * missed);  // Ewald's model of what cancels is more cautious
    // Of one sign, the same points hardly miss anything.
    System alike = s;
    for (double& q : alike.strengths) q = 1;
    Answer const equal = multipoles ? fmm<float>(runtime, alike, 1e-4) : ewald<float>(runtime, alike, 1e-4);
    CHECK(equal.told < 1e-4);
    check_error("of one sign", alike, equal.rows, whole_reference(alike), 1e-4);
  }
}

TEST_CASE("energy and virial of close dipoles: what single precision loses is told") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  std::vector<double> x(3 * 3000), p(x.size());
  for (double& v : x) v = uniform();
  for (double& v : p) v = 2 * uniform() - 1;
  EwaldOptions options{.kernel = Kernel::dipole,
                       .outputs = Output::potential | Output::gradient | Output::hessian,
                       .periodicity = Periodicity::xyz,
                       .box = {1, 1, 1},
                       .tolerance = 1e-4,
                       .virial = true};
  auto const report = [&](auto plan, auto const& points) {
    std::vector<double> u(points.targets() * 10);
    auto solve = plan.submit(points, view(p, 3), RowsOut::packed(u.data(), points.targets(), 10));
    solve.wait();
    return solve.report();
  };
  auto const energies = [&](SolveReport const& r) {
    std::vector<double> all{*r.energy};
    all.insert(all.end(), r.virial->begin(), r.virial->end());
    return all;
  };
  auto const error = [&](SolveReport const& found, SolveReport const& expected) {
    auto const a = energies(found), b = energies(expected);
    double wrong = 0, largest = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
      wrong = std::max(wrong, std::abs(a[i] - b[i]));
      largest = std::max(largest, std::abs(b[i]));
    }
    return std::max(wrong / largest, std::abs(a[0] / b[0] - 1));
  };
  auto const solve = [&](auto plan) { return report(plan, plan.set_points(view(x, 3))); };
  EwaldOptions fine = options;
  fine.tolerance = 1e-9;
  // The closest pair makes most of both; rounding moves it most.
  for (std::size_t d = 0; d < 3; ++d) x[3 + d] = x[d] + (d == 0 ? 4e-4 : 0);
  for (double const tolerance : {1e-4, 1e-5}) {
    CAPTURE(tolerance);
    options.tolerance = tolerance;
    auto const single = solve(BasicEwald<float>(runtime, options));
    double const missed = error(single, solve(BasicEwald<double>(runtime, fine)));
    CHECK((missed <= tolerance || missed < single.sampled_error));
    CHECK(single.sampled_error > tolerance);
  }
  options.tolerance = 1e-5;
  for (double& v : x) v = double(float(v));
  // What is left is in the virial alone: forces of close pairs cancel.
  auto const rounded = solve(BasicEwald<float>(runtime, options)), exact = solve(BasicEwald<double>(runtime, fine));
  CHECK(std::abs(*rounded.energy / *exact.energy - 1) < 1e-6);
  CHECK((error(rounded, exact) < options.tolerance || error(rounded, exact) < rounded.sampled_error));
  CHECK(rounded.sampled_error < 15 * error(rounded, exact));  // of one number, which may be small by chance
}

TEST_CASE("energies of pairs that cancel: what single precision loses is told, where no virial is found too") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  // As many close pairs of equal charges as of opposite ones, as far apart: the potentials are large, what is left of
  // the energies is small.
  std::vector<double> x, q;
  for (int pair = 0; pair < 200; ++pair) {
    double const at[3] = {uniform(), uniform(), uniform()}, apart = 2e-4 * (1 + pair / 2);
    for (int i : {0, 1}) {
      for (int d = 0; d < 3; ++d) x.push_back(at[d] + (d == pair / 2 % 3 ? i * apart : 0));
      q.push_back((pair % 4 < 2) == (i == 0 || pair % 2 == 0) ? 1 : -1);
    }
  }
  auto const report = [&](auto plan, int columns) {
    auto const points = plan.set_points(view(x, 3));
    std::vector<double> u(points.targets() * std::size_t(columns));
    auto solve = plan.submit(points, view(q, 1), RowsOut::packed(u.data(), points.targets(), columns));
    solve.wait();
    return solve.report();
  };
  std::vector<double> const given = x;
  double const tolerance = 1e-4;
  for (Outputs const outputs : {Outputs(Output::potential), Output::potential | Output::gradient})
    for (bool multipoles : {false, true}) {
      CAPTURE(multipoles);
      CAPTURE(name(outputs));
      x = given;
      EwaldOptions options{.outputs = outputs, .box = {1.1, 1.1, 1.1}, .tolerance = 1e-11};
      options.kernel = Kernel::laplace;
      options.periodicity = Periodicity::none;
      int const columns = result_components(options.kernel, outputs);
      auto const energy = [&] { return *report(BasicEwald<double>(runtime, options), columns).energy; };
      auto const single = [&] {
        if (multipoles)
          return report(
              BasicFmm<float>(runtime, {.kernel = options.kernel, .outputs = outputs, .tolerance = tolerance}),
              columns);
        EwaldOptions coarse = options;
        coarse.tolerance = tolerance;
        return report(BasicEwald<float>(runtime, coarse), columns);
      };
      SolveReport const moved = single();
      double const missed = std::abs(*moved.energy / energy() - 1);
      CHECK(missed > tolerance);
      CHECK(moved.sampled_error > 0.7 * missed);
      // Where single precision has the points, the energy is met, or told.
      for (double& coordinate : x) coordinate = double(float(coordinate));
      SolveReport const exact = single();
      double const left = std::abs(*exact.energy / energy() - 1);
      CHECK((left < tolerance || left < exact.sampled_error));
      CHECK(exact.sampled_error < moved.sampled_error);
    }
}

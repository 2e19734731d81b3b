// SPDX-License-Identifier: BSD-3-Clause
// The tolerance of the whole sum alone (ToleranceOf::whole), where the far field is weak beside the near one.
#include "tests/accuracy/measure.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

using namespace nearfar;

namespace {

constexpr double pi = 3.141592653589793;

/// Molecules anywhere in the box: pairs of opposite charges whose distance is a quarter of that between molecules, so
/// that what they feel comes from their own other half, most of all.
System molecules(int count, unsigned seed) {
  System s{Kernel::laplace, {1, 1, 1}, {}, {}, {}, Periodicity::xyz};
  std::mt19937_64 random(seed);
  double const half = 0.125 / std::cbrt(count);
  for (int i = 0; i < count; ++i) {
    double const z = 2 * uniform(random) - 1, angle = 2 * pi * uniform(random), across = std::sqrt(1 - z * z);
    double const x[3] = {uniform(random), uniform(random), uniform(random)},
                 way[3] = {across * std::cos(angle), across * std::sin(angle), z};
    for (int sign : {1, -1}) {
      for (int d = 0; d < 3; ++d) s.sources.push_back(x[d] + sign * half * way[d]);
      s.strengths.push_back(sign);
    }
  }
  s.targets = s.sources;
  return s;
}

/// Ions of a crystal, each out of its place by a tenth of the distance between them: what their far fields add up to is
/// weaker than plans assume.
System shaken_ions(int edge, unsigned seed) {
  System s{Kernel::laplace, {1, 1, 1}, {}, {}, {}, Periodicity::xyz};
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 0.1);
  for (int i = 0; i < edge * edge * edge; ++i) {
    int const at[3] = {i / edge / edge, i / edge % edge, i % edge};
    for (int const place : at) s.sources.push_back((place + 0.5 + normal(random)) / edge);
    s.strengths.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  s.targets = s.sources;
  return s;
}

/// The larger relative l2 error of potential and gradient.
double error_of(std::vector<double> const& result, std::vector<double> const& reference) {
  double error = 0;
  for (auto const& [first, last] : {std::pair(0, 1), std::pair(1, 4)}) {
    double difference = 0, all = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      int const column = int(i % 4);
      if (column < first || column >= last) continue;
      difference += (result[i] - reference[i]) * (result[i] - reference[i]);
      all += reference[i] * reference[i];
    }
    error = std::max(error, std::sqrt(difference / all));
  }
  return error;
}

EwaldOptions ions(double tolerance, ToleranceOf of = ToleranceOf::whole) {
  return {.kernel = Kernel::laplace,
          .outputs = Output::potential | Output::gradient,
          .tolerance = tolerance,
          .tolerance_of = of};
}

std::vector<double> solve_again(Ewald& ewald, Points const& points, std::vector<double> const& strengths) {
  std::vector<double> result(4 * points.targets());
  ewald.submit(points, strengths, std::span(result)).wait();
  return result;
}

}  // namespace

TEST_CASE("tolerance of the whole: later solves are coarser, and keep it") {
  Runtime const runtime;
  System const s = molecules(2000, 1);
  Ewald exact(runtime, ions(1e-12));
  auto const reference = solve_again(exact, exact.set_points(s.sources), s.strengths);
  for (double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
    CAPTURE(tolerance);
    Ewald parts(runtime, ions(tolerance, ToleranceOf::parts)), whole(runtime, ions(tolerance));
    auto const of_parts = parts.set_points(s.sources), of_whole = whole.set_points(s.sources);
    auto const first = solve_again(whole, of_whole, s.strengths);
    CHECK(first == solve_again(parts, of_parts, s.strengths));
    double const second = error_of(solve_again(whole, of_whole, s.strengths), reference);
    MESSAGE("tolerance " << tolerance << ": parts " << error_of(first, reference) << ", whole " << second);
    CHECK(second < tolerance);
    CHECK(second > 0.1 * tolerance);
    CHECK(whole.parameters().estimated_error < tolerance);
    auto const seconds = [](EwaldPlanning const& p) { return p.near_seconds + p.far_seconds; };
    CHECK(seconds(whole.parameters()) < seconds(parts.parameters()));
    // Points that are set later have that plan from the start.
    System const moved = molecules(2000, 2);
    auto const others = solve_again(whole, whole.set_points(moved.sources), moved.strengths);
    CHECK(error_of(others, solve_again(exact, exact.set_points(moved.sources), moved.strengths)) < tolerance);
  }
}

TEST_CASE("tolerance of the whole: strengths whose far field is strong are solved again by a finer plan") {
  Runtime const runtime;
  System const s = molecules(2000, 3);
  std::vector<double> equal(s.strengths.size());
  for (std::size_t i = 0; i < equal.size(); ++i) equal[i] = 1 + 0.5 * std::sin(2 * pi * s.sources[3 * i]);
  Ewald exact(runtime, ions(1e-12)), whole(runtime, ions(1e-5));
  auto const exact_points = exact.set_points(s.sources), points = whole.set_points(s.sources);
  auto const weak = solve_again(exact, exact_points, s.strengths), strong = solve_again(exact, exact_points, equal);
  for (int turn = 0; turn < 3; ++turn) {
    CHECK(error_of(solve_again(whole, points, s.strengths), weak) < 1e-5);
    CHECK(error_of(solve_again(whole, points, equal), strong) < 1e-5);
  }
}

TEST_CASE("tolerance of the whole: where the next finer plan hardly helps, one after it is taken") {
  Runtime const runtime;
  for (unsigned seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    std::vector<double> x(3 * 2000), charges(2000), potential(2000);
    for (double& value : x) value = uniform(random);
    Ewald whole(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-3, .tolerance_of = ToleranceOf::whole});
    auto const points = whole.set_points(x);
    for (int solve = 0; solve < 2; ++solve) {
      for (double& value : charges) value = uniform(random) - 0.5;
      CHECK(whole.submit(points, charges, std::span(potential)).report().sampled_error <= 1e-3);
    }
  }
}

TEST_CASE("tolerance of the whole: a coarser plan that has missed it is not tried again at each step") {
  Runtime const runtime;
  constexpr int steps = 6, settled = 3;
  for (auto const& [count, tolerance] : {std::pair(500, 2.16e-4), std::pair(500, 4.7e-7), std::pair(1000, 1.68e-5)}) {
    CAPTURE(tolerance);
    System s = molecules(count, 7);
    Ewald whole(runtime, ions(tolerance));
    auto points = whole.set_points(s.sources);
    std::vector<double> result(4 * s.strengths.size());
    int repeats = 0, later = 0;
    for (int step = 0; step < steps; ++step) {
      int const again = whole.submit(points, s.strengths, std::span(result)).report().repeats;
      repeats += again;
      if (step >= settled) later += again;
      for (double& x : s.sources) x += 1e-6;
      points = whole.move_points(points, s.sources);
    }
    MESSAGE(repeats << " solves were repeated");
    CHECK(later == 0);
  }
}

TEST_CASE("a plan that misses the tolerance by a little is replaced by one that keeps it, once for all steps") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  int missed = 0;
  for (ToleranceOf const of : {ToleranceOf::parts, ToleranceOf::whole})
    for (double const tolerance : {1e-3, 3e-4, 1e-4, 3e-5}) {
      CAPTURE(tolerance);
      System s = shaken_ions(20, 1);
      Ewald plan(runtime, ions(tolerance, of));
      auto points = plan.set_points(s.sources);
      std::vector<double> result(4 * s.strengths.size());
      for (int step = 0; step < 4; ++step) {
        CAPTURE(step);
        SolveReport const report = plan.submit(points, s.strengths, std::span(result)).report();
        CHECK(report.sampled_error < tolerance);
        if (step < 2) missed += report.repeats;
        else CHECK(report.repeats == 0);
        for (double& x : s.sources) x += 1e-6;
        points = plan.move_points(points, s.sources);
      }
    }
  CHECK(missed > 0);
}

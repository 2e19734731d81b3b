// SPDX-License-Identifier: BSD-3-Clause
// Points and strengths that no model of random ones knows: solves find out by a sample, and are done again by a finer
// plan, or say what the error is.
#include "tests/accuracy/fmm/fmm_solve.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

struct Outcome {
  double error;    ///< the worse of potential and gradient, over all targets
  double sampled;  ///< what the solve says
  int repeats;
  FmmPlanning parameters;
};

/// A sum as T has its numbers, and what it is.
template <class T>
struct Known {
  System system;
  std::vector<double> exact;

  explicit Known(System s) : system(std::move(s)) {
    for (auto* numbers : {&system.sources, &system.targets, &system.strengths})
      for (double& x : *numbers) x = double(T(x));
    exact = whole_reference(system);
  }
};

template <class T>
Outcome solved(Runtime const& runtime, Known<T> const& known, double tolerance) {
  System const& s = known.system;
  FmmOptions options{.kernel = s.kernel, .outputs = s.outputs(), .periodicity = s.periodicity, .tolerance = tolerance};
  if (s.periodicity != Periodicity::none) options.box = s.box;
  BasicFmm<T> plan(runtime, options);
  std::vector<T> const x(s.sources.begin(), s.sources.end()), y(s.targets.begin(), s.targets.end()),
      f(s.strengths.begin(), s.strengths.end());
  auto const points = s.targets == s.sources ? plan.set_points(x) : plan.set_points(x, y);
  std::vector<T> u(points.targets() * std::size_t(result_components(s.kernel, s.outputs())));
  auto solve = plan.submit(points, f, u);
  auto const report = solve.report();
  std::vector<double> const result(u.begin(), u.end());
  auto const errors = s.gradient() ? errors_of(result, known.exact) : Errors{};
  double const error =
      s.gradient() ? std::max(errors.potential, errors.gradient) : oracle::relative_error(result, known.exact);
  return {error, report.sampled_error, report.repeats, points.parameters()};
}

template <class T>
Outcome solved_and_told(Runtime const& runtime, std::string const& what, Known<T> const& known, double tolerance) {
  auto const o = solved(runtime, known, tolerance);
  MESSAGE(what << ", " << name(known.system.kernel) << ", " << tolerance << ": " << o.error / tolerance
               << " of the tolerance, sample " << o.sampled / tolerance << ", repeats " << o.repeats << ", order "
               << o.parameters.order << ", separation " << o.parameters.well_separation << ", depth "
               << o.parameters.depth);
  return o;
}

/// The tolerance is met.
void check_met(Runtime const& runtime, std::string const& what, System const& s,
               std::vector<double> const& tolerances) {
  Known<double> const known(s);
  for (double tolerance : tolerances) {
    auto const o = solved_and_told(runtime, what, known, tolerance);
    CHECK(o.error <= tolerance);
    CHECK(o.parameters.estimated_error <= tolerance);
  }
}

/// The tolerance is met, or the solve and its points say honestly that it is not.
template <class T>
void check_honest(Runtime const& runtime, std::string const& what, System const& s,
                  std::vector<double> const& tolerances) {
  Known<T> const known(s);
  for (double tolerance : tolerances) {
    auto const o = solved_and_told(runtime, what, known, tolerance);
    if (o.error <= tolerance) continue;
    CHECK(o.sampled > tolerance);
    CHECK(o.sampled > o.error / 2);
    CHECK(o.sampled < o.error * 2);
    CHECK(o.parameters.estimated_error >= o.sampled);
  }
}

System cloud_from_afar(double distance, unsigned seed) {
  System s = random_system(Kernel::laplace, {1, 1, 1}, 1000, 1, seed);
  s.periodicity = Periodicity::none;
  double mean = 0;
  for (double q : s.strengths) mean += q / 1000;
  for (double& q : s.strengths) q -= mean;
  s.targets.clear();
  std::mt19937_64 random(seed);
  for (int t = 0; t < 300; ++t)
    s.targets.insert(s.targets.end(), {distance + uniform(random), uniform(random), uniform(random)});
  return s;
}

/// Charges that alternate, n to an edge, a hundredth of their distance out of place.
System checkerboard(int n, Periodicity periodicity) {
  System s{Kernel::laplace, {1, 1, 1}, {}, {}, {}, periodicity};
  std::mt19937_64 random(3);
  for (int i = 0; i < n * n * n; ++i) {
    int const at[3] = {i / n / n, i / n % n, i % n};
    for (int a : at) s.sources.push_back((a + .5 + .01 * (uniform(random) - .5)) / n);
    s.strengths.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  s.targets = s.sources;
  return s;
}

System over_scales(Kernel kernel, unsigned seed) {
  System s = random_system(kernel, {1, 1, 1}, 1000, 1000, seed);
  s.periodicity = Periodicity::none;
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < 1000; ++i) {
    double const scale = std::pow(10, -8 * uniform(random));
    for (std::size_t d = 0; d < 3; ++d) s.sources[3 * i + d] = .3 + scale * (s.sources[3 * i + d] - .5);
  }
  s.targets = s.sources;
  return s;
}

}  // namespace

TEST_CASE("checked multipoles: a neutral cloud seen from 30 and 60 diameters away") {
  Runtime const runtime;
  for (double distance : {30., 60.})
    for (unsigned seed : {31u, 32u})
      check_met(runtime, "cloud from " + std::to_string(int(distance)), cloud_from_afar(distance, seed), {1e-3, 1e-6});
}

TEST_CASE("checked multipoles: points over scales from 1e-8 to 1") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stresslet})
    check_met(runtime, "scales", over_scales(kernel, 81), {1e-6, 1e-10});
}

TEST_CASE("checked multipoles: a periodic cube at 1e-9") {
  Runtime const runtime;
  for (std::size_t count : {200, 1000})
    check_met(runtime, "periodic cube of " + std::to_string(count),
              random_system(Kernel::laplace, {1, 1, 1}, count, count, 61), {1e-9});
}

TEST_CASE("checked multipoles: periodic charges of one sign in single precision") {
  Runtime const runtime;
  System s = random_system(Kernel::laplace, {1, 1, 1}, 1000, 1000, 71);
  for (double& q : s.strengths) q = 1;
  check_honest<float>(runtime, "equal charges", s, {1e-3, 1e-5});
}

TEST_CASE("checked multipoles: one charge among zeros") {
  Runtime const runtime;
  for (unsigned seed : {41u, 42u, 43u}) {
    System s = random_system(Kernel::laplace, {1, 1, 1}, 2000, 2000, seed);
    s.periodicity = Periodicity::none;
    for (double& q : s.strengths) q = 0;
    s.strengths[7] = 1;
    check_met(runtime, "one among zeros", s, {1e-3, 1e-6});
  }
}

TEST_CASE("checked multipoles: points in a plane") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::laplace, Kernel::stresslet, Kernel::stokeslet}) {
    System s = random_system(kernel, {1, 1, 1}, 3000, 3000, 51);
    s.periodicity = Periodicity::none;
    for (std::size_t i = 2; i < s.sources.size(); i += 3) s.sources[i] = .3;
    s.targets = s.sources;
    check_met(runtime, "plane", s, {1e-3, 1e-6, 1e-9});
  }
}

TEST_CASE("checked multipoles: a checkerboard") {
  Runtime const runtime;
  for (int n : {8, 10, 16})
    check_met(runtime, "checkerboard " + std::to_string(n), checkerboard(n, Periodicity::none), {1e-3, 1e-6, 1e-9});
  for (int n : {8, 10})
    check_met(runtime, "periodic checkerboard " + std::to_string(n), checkerboard(n, Periodicity::xyz),
              {1e-3, 1e-6, 1e-9});
}

TEST_CASE("checked multipoles: a finer plan has the tree that its order asks for") {
  Runtime const runtime;
  Known<double> const known(checkerboard(24, Periodicity::none));
  auto const o = solved<double>(runtime, known, 1e-4);
  REQUIRE(o.repeats > 0);
  System const& s = known.system;
  FmmOptions options{.kernel = s.kernel, .outputs = s.outputs(), .tolerance = 1e-4};
  REQUIRE(Fmm(runtime, options).set_points(s.sources).parameters().boxes != o.parameters.boxes);
  options.order = o.parameters.order;
  options.well_separation = o.parameters.well_separation;
  auto const wanted = Fmm(runtime, options).set_points(s.sources).parameters();
  CHECK(o.parameters.depth == wanted.depth);
  CHECK(o.parameters.capacity == wanted.capacity);
  CHECK(o.parameters.boxes == wanted.boxes);
  CHECK(o.parameters.pairs == wanted.pairs);
}

// The first review comes with the first solve, and the next many solves later; what charges that cancel leave at the
// targets falls faster than their errors.
TEST_CASE("checked multipoles: a neutral cloud that contracts") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (int const count : {31, 300}) {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> place(0, 1);
    std::normal_distribution<double> charge;
    std::vector<double> sources(std::size_t(3 * count)), targets(3 * 29), q(sources.size() / 3);
    for (double& x : sources) x = place(random);
    for (double& x : targets) x = place(random);
    double sum = 0;
    for (double& c : q) sum += c = charge(random);
    for (double& c : q) c -= sum / count;
    BasicFmm<double> plan(
        runtime, {.kernel = Kernel::laplace, .periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-6});
    Ewald exact(runtime, {.kernel = Kernel::laplace, .box = {1, 1, 1}, .tolerance = 1e-12});
    auto points = plan.set_points(sources, targets);
    std::vector<double> u(targets.size() / 3), v(u.size());
    plan.submit(points, q, u).wait();
    for (int step = 0; step < 4; ++step) {
      for (double& x : sources) x = 0.5 + 0.4 * (x - 0.5);
      points = plan.move_points(points, sources, targets);
      auto const report = plan.submit(points, q, u).report();
      exact.submit(exact.set_points(sources, targets), q, v).wait();
      double const error = oracle::relative_error(u, v);
      INFO(count << " charges, step " << step << ": " << error << ", told " << report.sampled_error);
      CHECK(error <= 1.05 * std::max(1e-6, report.sampled_error));
      CHECK(report.sampled_error > 0);
    }
  }
}

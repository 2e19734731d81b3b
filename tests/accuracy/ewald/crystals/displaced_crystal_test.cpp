// SPDX-License-Identifier: BSD-3-Clause
// Ions a little out of their places in a crystal: by symmetry what pulls at each is next to nothing, and the tolerance
// is of that.
#include "tests/accuracy/measure.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>

using namespace nearfar;

namespace {

/// Rock salt of `m` ions to an edge, or caesium chloride of `m` cells, each ion out of place by up to `displaced`
/// lattice constants in each direction.
System crystal(bool rock_salt, int m, double displaced) {
  System s{Kernel::laplace, {1, 1, 1}, {}, {}, {}, Periodicity::xyz};
  std::mt19937_64 random(5);
  int const basis = rock_salt ? 1 : 2;
  double const constant = rock_salt ? 2 : 1;  // in steps of the lattice below
  for (int i = 0; i < basis * m * m * m; ++i) {
    int const cell = i / basis, at[3] = {cell / m / m, cell / m % m, cell % m};
    for (int a : at)
      s.sources.push_back((a + 0.5 * (i % basis) + 0.3 + constant * displaced * (2 * uniform(random) - 1)) / m);
    s.strengths.push_back((rock_salt ? (at[0] + at[1] + at[2]) % 2 : i % 2) == 0 ? 1 : -1);
  }
  s.targets = s.sources;
  return s;
}

std::string label(bool rock_salt, double displaced) {
  return std::string(rock_salt ? "rock salt" : "caesium chloride") + ", displaced by " + std::to_string(displaced);
}

/// Of columns first .. last - 1 of rows of four.
double norm(std::vector<double> const& rows, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i % 4 >= first && i % 4 < last) sum += rows[i] * rows[i];
  return std::sqrt(sum);
}

struct Outcome {
  double potential, gradient;  ///< errors
  SolveReport report;
};

template <class T, class Plan, class PlanOptions>
Outcome solved(Runtime const& runtime, System const& s, PlanOptions options, std::vector<double> const& exact) {
  options.kernel = s.kernel;
  options.outputs = Output::potential | Output::gradient;
  options.periodicity = s.periodicity;
  options.box = s.box;
  Plan plan(runtime, options);
  std::vector<T> const x(s.sources.begin(), s.sources.end()), q(s.strengths.begin(), s.strengths.end());
  std::vector<T> u(4 * q.size());
  auto solve = plan.submit(plan.set_points(x), q, u);
  auto const report = solve.report();
  std::vector<double> const result(u.begin(), u.end());
  return {oracle::relative_error(result, exact, 4, 0, 1), oracle::relative_error(result, exact, 4, 1, 3), report};
}

/// The tolerance is met, or the solve says by how much it is not; and it says no less than what is so. A gradient that
/// is exactly zero has no relative error: there `judged` is the potential's alone.
void check_honest(std::string const& what, Outcome const& o, double tolerance, std::optional<double> judged = {}) {
  double const error = judged.value_or(std::max(o.potential, o.gradient));
  MESSAGE(what << ", tolerance " << tolerance << ": potential " << o.potential / tolerance << ", gradient "
               << o.gradient / tolerance << ", told " << o.report.sampled_error / tolerance << " of it, repeated "
               << o.report.repeats);
  if (o.report.sampled_error < 1) CHECK(error <= std::max(tolerance, o.report.sampled_error));
}

}  // namespace

TEST_CASE("displaced crystals: Ewald sums meet the tolerance, or say that they do not") {
  Runtime const runtime;
  for (bool rock_salt : {true, false})
    for (double displaced : {0., 1e-4, 1e-3, 5e-3, 0.02, 0.05, 0.1}) {
      System const s = crystal(rock_salt, rock_salt ? 8 : 6, displaced);
      auto const exact = whole_reference(s);
      for (Split split : {Split::pswf, Split::gaussian})
        for (double tolerance : {1e-3, 1e-5, 1e-6, 1e-8}) {
          auto const o = solved<double, Ewald>(runtime, s, EwaldOptions{.tolerance = tolerance, .split = split}, exact);
          check_honest(label(rock_salt, displaced) + ", " + std::string(name(split)), o, tolerance);
          CHECK(o.potential <= tolerance);
          if (displaced > 0) CHECK(o.gradient <= tolerance);
        }
    }
}

TEST_CASE("displaced crystals: in single precision") {
  Runtime const runtime;
  for (double displaced : {1e-3, 5e-3}) {
    System s = crystal(true, 8, displaced);
    for (double& x : s.sources) x = double(float(x));
    s.targets = s.sources;
    auto const exact = whole_reference(s);
    for (double tolerance : {1e-3, 1e-5})
      check_honest(label(true, displaced) + ", single",
                   solved<float, EwaldSingle>(runtime, s, EwaldOptions{.tolerance = tolerance}, exact), tolerance);
  }
}

TEST_CASE("displaced crystals: multipole sums meet the tolerance, or say that they do not") {
  Runtime const runtime;
  for (double displaced : {0., 1e-3, 5e-3}) {
    System const s = crystal(true, 8, displaced);
    auto const exact = whole_reference(s);
    for (double tolerance : {1e-3, 1e-6}) {
      auto const o = solved<double, Fmm>(runtime, s, FmmOptions{.tolerance = tolerance}, exact);
      // Without displacement, what multipoles find of the gradient is rounding of the potential over a spacing.
      if (displaced == 0 && o.report.sampled_error <= tolerance)
        CHECK(o.gradient * norm(exact, 1, 4) < 1e-11 * 8 * norm(exact, 0, 1));
      check_honest(label(true, displaced) + ", multipoles", o, tolerance,
                   displaced == 0 ? std::optional(o.potential) : std::nullopt);
    }
  }
}

TEST_CASE("displaced crystals: points to come, and other strengths, begin with the plan that did") {
  Runtime const runtime;
  System const s = crystal(true, 8, 1e-3);
  Ewald plan(runtime, {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-5});
  std::vector<double> u(4 * s.strengths.size());
  auto const points = plan.set_points(s.sources);
  CHECK(plan.submit(points, s.strengths, u).report().repeats == 1);
  CHECK(plan.submit(points, s.strengths, u).report().repeats == 0);
  CHECK(plan.submit(plan.move_points(points, s.sources), s.strengths, u).report().repeats == 0);
  CHECK(oracle::relative_error(u, whole_reference(s), 4, 1, 3) < 1e-5);
}

TEST_CASE("displaced crystals: what points of ordinary strengths take is not done twice") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stresslet, Kernel::stokes})
    for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz})
      for (double tolerance : {1e-3, 1e-6, 1e-10}) {
        System s = random_system(kernel, {1, 1, 1}, 1000, 1000, 7);
        Ewald plan(runtime,
                   {.kernel = kernel, .outputs = s.outputs(), .periodicity = periodicity, .tolerance = tolerance});
        std::vector<double> u(std::size_t(result_components(kernel, s.outputs())) * 1000);
        auto const report = plan.submit(plan.set_points(s.sources), s.strengths, u).report();
        MESSAGE(name(kernel) << ", " << name(periodicity) << ", " << tolerance << ": told "
                             << report.sampled_error / tolerance);
        CHECK(report.repeats == 0);
        CHECK(report.sampled_error > 0);
      }
}

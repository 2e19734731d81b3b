// SPDX-License-Identifier: BSD-3-Clause
// Virials of periodic cells by multipoles: those of Ewald sums, whose golden values other tests know.
#include "tests/accuracy/energy/report_of.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

using namespace nearfar;

namespace {

using Virial = std::array<double, 6>;
using Edges = std::array<double, 3>;
constexpr Edges box{1, 1.2, 0.9};  // whose boxes are so far from cubes that they need separation 2
constexpr Kernel kernels[] = {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole};

struct Particles {
  std::vector<double> x, strengths;
};

/// On the places of a lattice but for some disorder, so that no pair outweighs all others; `charge` is added to each.
Particles particles(Kernel kernel, int m, unsigned seed, double charge = 0, Edges const& edges = box) {
  auto const count = std::size_t(m) * m * m, width = std::size_t(strength_components(kernel));
  auto const random = random_points(count, {1, 1, 1}, seed);
  Particles p{std::vector<double>(3 * count), random_points(width * count, {2, 2, 2}, seed + 1)};
  p.strengths.resize(width * count);
  for (double& s : p.strengths) s -= 1;
  for (std::size_t i = 0; i < count; ++i) {
    int const n = int(i), at[3] = {n / m / m, n / m % m, n % m};
    if (kernel != Kernel::dipole) p.strengths[width * i] = (n % 2 == 0 ? 1 : -1) + charge;
    for (std::size_t d = 0; d < 3; ++d) p.x[3 * i + d] = edges[d] * (at[d] + 0.25 + 0.5 * random[3 * i + d]) / m;
  }
  return p;
}

FmmOptions multipoles(Kernel kernel, double tolerance, Edges const& edges = box) {
  FmmOptions o{
      .kernel = kernel, .outputs = accuracy::outputs_for_virial(kernel), .periodicity = Periodicity::xyz, .box = edges};
  o.tolerance = tolerance;
  o.virial = true;
  return o;
}

template <class T = double>
SolveReport solve(Runtime const& runtime, FmmOptions const& o, Particles const& p) {
  return accuracy::report_of<BasicFmm, T>(runtime, o, p.x, p.strengths);
}

SolveReport by_ewald(Runtime const& runtime, Kernel kernel, Particles const& p, Edges const& edges = box) {
  EwaldOptions o{.kernel = kernel, .outputs = accuracy::outputs_for_virial(kernel)};
  o.box = edges;
  o.tolerance = 1e-11;
  o.virial = true;
  Ewald plan(runtime, o);
  std::vector<double> u(p.x.size() / 3 * std::size_t(result_components(kernel, o.outputs)));
  return plan.submit(plan.set_points(p.x), p.strengths, u).report();
}

double relative(Virial const& found, Virial const& expected) {
  double wrong = 0, largest = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    wrong = std::max(wrong, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return wrong / largest;
}

}  // namespace

TEST_CASE("virial by multipoles in periodic cells: that of Ewald sums, in trees of any kind, charged or not") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : kernels)
    for (double const charge : {0.0, 0.3}) {
      if (kernel == Kernel::dipole && charge > 0) continue;
      CAPTURE(name(kernel));
      CAPTURE(charge);
      for (int const separation : {1, 2}) {
        Edges const edges = separation == 1 ? Edges{1, 1, 1} : box;
        Particles const p = particles(kernel, 8, 3, charge, edges);
        auto const expected = by_ewald(runtime, kernel, p, edges);
        for (int const depth : {0, 2, 3}) {
          if (depth != 2 && kernel != Kernel::laplace) continue;  // shown by one kernel
          CAPTURE(depth);
          CAPTURE(separation);
          FmmOptions o = multipoles(kernel, 1e-9, edges);
          o.depth = depth;
          o.well_separation = separation;
          auto const found = solve(runtime, o, p);
          CHECK(*found.energy == doctest::Approx(*expected.energy).epsilon(1e-8));
          CHECK(relative(*found.virial, *expected.virial) < 1e-8);
        }
      }
    }
}

TEST_CASE("virial by multipoles in periodic cells: clustered points, in leaves on several levels") {
  Runtime const runtime({.gpus = 0});
  Particles p = particles(Kernel::laplace, 8, 5);
  for (std::size_t i = 0; i < p.x.size(); i += 3)
    if (i % 2 == 0)
      for (std::size_t d = 0; d < 3; ++d) p.x[i + d] = p.x[i + d] / 8 + (d == 0 ? 0.99 : 0);  // across faces, too
  for (double& x : p.x) x = std::fmod(x, 1.0);
  auto const expected = by_ewald(runtime, Kernel::laplace, p);
  FmmOptions o = multipoles(Kernel::laplace, 1e-9);
  o.capacity = 6;
  CHECK(relative(*solve(runtime, o, p).virial, *expected.virial) < 1e-8);
}

TEST_CASE("virial by multipoles in periodic cells: its trace, moved points, and single precision") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : kernels) {
    CAPTURE(name(kernel));
    Particles p = particles(kernel, 8, 7);
    for (auto* numbers : {&p.x, &p.strengths})
      for (double& x : *numbers) x = double(float(x));
    FmmOptions const o = multipoles(kernel, 1e-9);
    auto const report = solve(runtime, o, p);
    Virial const& w = *report.virial;
    if (kernel != Kernel::charge_dipole)
      CHECK(w[0] + w[1] + w[2] == doctest::Approx((kernel == Kernel::dipole ? 3 : 1) * *report.energy).epsilon(1e-8));
    CHECK(relative(*solve<float>(runtime, multipoles(kernel, 1e-4), p).virial, w) < 1e-4);
    Fmm plan(runtime, o);
    auto x = p.x;
    auto const before = plan.set_points(x);
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] += 1e-3;  // a translation changes nothing
    std::vector<double> u(x.size() / 3 * std::size_t(result_components(kernel, o.outputs)));
    CHECK(relative(*plan.submit(plan.move_points(before, x), p.strengths, u).report().virial, w) < 1e-8);
  }
}

TEST_CASE("virial by multipoles in periodic cells: in vacuum, minus the derivative of the energy") {
  Runtime const runtime({.gpus = 0});
  constexpr double step = 1e-2;
  Particles const p = particles(Kernel::laplace, 6, 9);
  FmmOptions o = multipoles(Kernel::laplace, 1e-10);
  o.boundary = Boundary::vacuum;
  auto const w = *solve(runtime, o, p).virial;
  for (std::size_t d = 0; d < 3; ++d) {
    auto const energy = [&](double strain) {
      Particles strained = p;
      FmmOptions of = o;
      of.box[d] *= 1 + strain;
      for (std::size_t i = d; i < p.x.size(); i += 3) strained.x[i] *= 1 + strain;
      return *solve(runtime, of, strained).energy;
    };
    double const found = -(8 * (energy(step) - energy(-step)) - (energy(2 * step) - energy(-2 * step))) / (12 * step);
    CHECK(found == doctest::Approx(w[d]).epsilon(1e-5));
  }
}

TEST_CASE("virial by multipoles in periodic cells: the same bits under all schedulers and numbers of workers") {
  Particles const p = particles(Kernel::laplace, 12, 11);
  std::optional<SolveReport> first;
  for (char const* scheduler : {"overlap", "lws"})
    for (int const cpus : {1, 2}) {
      Runtime const runtime({.scheduler = scheduler, .cpus = cpus, .gpus = 0});
      FmmOptions o = multipoles(Kernel::laplace, 1e-6);
      o.depth = 3;
      auto const report = solve(runtime, o, p);
      if (!first) first = report;
      CHECK(*report.energy == *first->energy);
      CHECK(*report.virial == *first->virial);
    }
}

TEST_CASE("virial by multipoles: loose plans keep the tolerance, where errors of forces add up") {
  Runtime const runtime({.gpus = 0});
  constexpr std::size_t count = 1500;
  for (Kernel const kernel : kernels)
    for (Periodicity const periodicity : {Periodicity::none, Periodicity::xyz}) {
      auto const x = random_points(count, {1, 1, 1}, 4);
      auto strengths = random_points(count * std::size_t(strength_components(kernel)), {2, 2, 2}, 5);
      for (double& s : strengths) s -= 1;
      strengths.resize(count * std::size_t(strength_components(kernel)));
      FmmOptions o{.kernel = kernel, .outputs = accuracy::outputs_for_virial(kernel), .periodicity = periodicity};
      if (periodicity == Periodicity::xyz) o.box = {1, 1, 1};
      o.virial = true;
      auto const by = [&](double tolerance) {
        o.tolerance = tolerance;
        return solve(runtime, o, {x, strengths});
      };
      auto const expected = by(1e-10);
      for (double const tolerance : {1e-3, 1e-4, 1e-6}) {
        CAPTURE(name(kernel));
        CAPTURE(periodicity == Periodicity::xyz);
        CAPTURE(tolerance);
        auto const found = by(tolerance);
        CHECK(found.sampled_error < tolerance);
        CHECK(relative(*found.virial, *expected.virial) < tolerance);
        CHECK(std::abs(*found.energy - *expected.energy) < tolerance * std::abs(*expected.energy));
      }
    }
}

TEST_CASE(
    "virials and energies of multipole sums in a cell of few leaves are told, whose errors are those of a few points") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  constexpr std::size_t count = 600;
  Edges const cube{1, 1, 1};
  for (Kernel const kernel : {Kernel::laplace, Kernel::charge_dipole})
    for (unsigned seed = 1; seed <= 7; ++seed) {
      CAPTURE(seed);
      auto const width = std::size_t(strength_components(kernel));
      Particles p{random_points(count, cube, seed), random_points(count * width, cube, seed + 100)};
      p.strengths.resize(count * width);
      for (double& s : p.strengths) s -= 0.5;
      double const tolerance = 1e-8;
      auto const found = solve(runtime, multipoles(kernel, tolerance, cube), p),
                 exact = by_ewald(runtime, kernel, p, cube);
      CHECK(relative(*found.virial, *exact.virial) <= std::max(tolerance, found.virial_error));
      CHECK(std::abs(*found.energy / *exact.energy - 1) <= found.energy_error + 1e-11);
    }
}

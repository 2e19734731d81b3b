// SPDX-License-Identifier: BSD-3-Clause
// Clustered points: trees that follow them are right, and cost no more per point than even ones.
#include "core/plan/fmm/choice.hpp"
#include "tests/accuracy/fmm/fmm_solve.hpp"

#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <sstream>

using namespace nearfar;

namespace {

std::vector<double> sphere(std::size_t count) {
  std::mt19937_64 random(3);
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i) {
    double const z = 2 * uniform(random) - 1, phi = 2 * 3.14159265358979324 * uniform(random);
    double const rho = std::sqrt(1 - z * z);
    for (double c : {rho * std::cos(phi), rho * std::sin(phi), z}) x.push_back(c);
  }
  return x;
}

/// Plummer's cluster of stars: half of them within 1.3, some twenty times as far out.
std::vector<double> plummer(std::size_t count) {
  std::mt19937_64 random(4);
  auto x = sphere(count);
  for (std::size_t i = 0; i < count; ++i) {
    double const mass = 0.001 + 0.998 * uniform(random);
    double const radius = 1 / std::sqrt(std::pow(mass, -2.0 / 3) - 1);
    for (std::size_t d = 0; d < 3; ++d) x[3 * i + d] *= radius;
  }
  return x;
}

System system_of(std::vector<double> const& x, std::size_t targets) {
  System s{Kernel::laplace, {1, 1, 1}, x, {x.begin(), x.begin() + std::ptrdiff_t(3 * targets)}, {}};
  s.strengths = random_strengths(Kernel::laplace, x.size() / 3, 6);
  s.periodicity = Periodicity::none;
  return s;
}

/// Flops of a solve per point, from what its lists hold.
double flops_per_point(Runtime const& runtime, std::vector<double> const& x, double tolerance) {
  Fmm plan(runtime, {.outputs = Output::potential | Output::gradient, .tolerance = tolerance});
  auto const points = plan.set_points(x);
  auto const p = points.parameters();
  FmmFlops const f = fmm_flops(Kernel::laplace, Output::potential | Output::gradient, p.order);
  double const n = double(points.sources());
  double const total = f.pair * double(p.pairs) + f.m2l * double(p.translations) + f.m2p * double(p.evaluations) +
                       f.p2l * double(p.expansions) + (f.p2m + f.l2p) * n + (f.m2m + f.l2l) * double(p.boxes);
  MESSAGE("depth ", p.depth, ", capacity ", p.capacity, ", ws ", p.well_separation, ", order ", p.order, ", boxes ",
          p.boxes, ", pairs per point ", double(p.pairs) / n, ", interactions per point ", double(p.translations) / n,
          ", flops per point ", total / n);
  return total / n;
}

}  // namespace

TEST_CASE("adaptive trees: the tolerance is met") {
  Runtime const runtime({.gpus = 0});
  for (auto const& x : {sphere(5000), plummer(5000)}) {
    System const s = system_of(x, 5000);
    auto const reference = whole_reference(s);
    for (double tolerance : {1e-3, 1e-6, 1e-9})
      for (int separation : {1, 2})
        for (int capacity : {5, 50}) {
          if (separation == 2 && capacity == 5 && tolerance < 1e-6) continue;
          std::ostringstream what;
          what << "capacity " << capacity << ", separation " << separation;
          check_error(
              what.str(), s,
              solve_fmm(runtime, s, {.tolerance = tolerance, .capacity = capacity, .well_separation = separation}),
              reference, tolerance);
        }
    check_error("all chosen", s, solve_fmm(runtime, s, {.tolerance = 1e-5}), reference, 1e-5);
  }
}

TEST_CASE("adaptive trees: Stokes kernels meet the tolerance") {
  Runtime const runtime({.gpus = 0});
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes}) {
    System s = system_of(plummer(3000), 3000);
    s.kernel = kernel;
    s.strengths = random_strengths(kernel, 3000, 8);
    check_error("plummer", s, solve_fmm(runtime, s, {.tolerance = 1e-5, .capacity = 15}), whole_reference(s), 1e-5);
  }
}

TEST_CASE("a sphere's surface and a cluster cost at most three times the flops of a cube, per point") {
  Runtime const runtime({.gpus = 0});
  std::size_t const n = 100000;
  for (double tolerance : {1e-4, 1e-7}) {
    double const cube = flops_per_point(runtime, random_points(n, {1, 1, 1}, 5), tolerance);
    CHECK(flops_per_point(runtime, sphere(n), tolerance) < 3 * cube);
    CHECK(flops_per_point(runtime, plummer(n), tolerance) < 3 * cube);
  }
}

TEST_CASE("all points in one place but one, two points, one point") {
  Runtime const runtime({.gpus = 0});
  std::vector<double> x{1e3, -1e3, 5e2};
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) x.push_back(1e-3 * uniform(random));
  System const s = system_of(x, 1001);
  auto const reference = whole_reference(s);
  check_error("far away", s, solve_fmm(runtime, s, {.tolerance = 1e-6}), reference, 1e-6);
  check_error("by hand", s, solve_fmm(runtime, s, {.tolerance = 1e-6, .depth = 20, .capacity = 20}), reference, 1e-6);
  System const two = system_of({0, 0, 0, 1, 2, 2}, 2);
  check_error("two", two, solve_fmm(runtime, two, {.tolerance = 1e-7}), whole_reference(two), 1e-14);
  System const one = system_of({4, 5, 6}, 1);
  auto const alone = solve_fmm(runtime, one, {});
  CHECK(alone == std::vector<double>{0, 0, 0, 0});
}

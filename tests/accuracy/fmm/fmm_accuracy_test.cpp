// SPDX-License-Identifier: BSD-3-Clause
// The multipole method in free space, against direct sums.
#include "tests/accuracy/fmm/fmm_solve.hpp"

#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

using namespace nearfar;

namespace {

struct Row {
  int separation, order;
  double potential, gradient;
};

void check_table(System const& system, std::vector<Row> const& table) {
  Runtime const runtime({.gpus = 0});
  auto const reference = whole_reference(system);
  for (Row const& row : table) {
    CAPTURE(row.separation);
    CAPTURE(row.order);
    auto const got = errors_of(
        solve_fmm(runtime, system, {.order = row.order, .depth = 3, .well_separation = row.separation}), reference);
    MESSAGE("ws ", row.separation, ", order ", row.order, ": potential ", got.potential, " (", row.potential,
            "), gradient ", got.gradient, " (", row.gradient, ")");
    CHECK(got.potential < 2 * row.potential);
    CHECK(got.potential > 0.5 * row.potential);
    CHECK(got.gradient < 2 * row.gradient);
    CHECK(got.gradient > 0.5 * row.gradient);
  }
}

/// The errors of a solve with everything chosen from the tolerance.
template <class T = double>
void check_tolerance(Runtime const& runtime, System const& system, double tolerance, FmmOptions options = {}) {
  options.tolerance = tolerance;
  FmmPlanning p;
  auto const reference = whole_reference(system);
  auto const result = solve_fmm<T>(runtime, system, options, &p);
  std::ostringstream what;
  what << name(system.kernel) << ", order " << p.order << ", ws " << p.well_separation << ", depth " << p.depth
       << ", capacity " << p.capacity;
  check_error(what.str(), system, result, reference, tolerance);
  CHECK(p.estimated_error <= tolerance);
}

}  // namespace

// fmm.md, Sec. 1.7: 4000 random points, depth 3.
TEST_CASE("errors by order are those of the tables: charges of both signs") {
  check_table(charges(4000, true), {{1, 2, 1.2e-2, 5.2e-3},
                                    {1, 4, 1.3e-3, 7.4e-4},
                                    {1, 6, 1.8e-4, 1.3e-4},
                                    {1, 8, 2.7e-5, 2.5e-5},
                                    {1, 10, 4.8e-6, 5.5e-6},
                                    {1, 12, 9.9e-7, 1.3e-6},
                                    {1, 14, 2.3e-7, 3.6e-7},
                                    {1, 16, 6.4e-8, 1.1e-7},
                                    {2, 2, 2.5e-3, 1.0e-3},
                                    {2, 4, 9.8e-5, 5.4e-5},
                                    {2, 6, 4.7e-6, 3.5e-6},
                                    {2, 8, 2.6e-7, 2.4e-7},
                                    {2, 10, 1.8e-8, 2.0e-8}});
}

TEST_CASE("errors by order are those of the tables: charges of one sign") {
  check_table(charges(4000, false),
              {{1, 4, 2.2e-5, 7.9e-4}, {1, 8, 2.4e-7, 1.5e-5}, {1, 12, 9.0e-9, 7.6e-7}, {1, 16, 5.8e-10, 5.9e-8}});
}

TEST_CASE("the tolerance is met: potential and gradient, both kinds of charges") {
  Runtime const runtime({.gpus = 0});
  for (double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10})
    for (bool mixed : {true, false}) check_tolerance(runtime, charges(3000, mixed, 5), tolerance);
}

TEST_CASE("the tolerance is met in deeper trees, in single precision, with separation 2, at other targets") {
  Runtime const runtime({.gpus = 0});
  System const many = random_system(Kernel::laplace, {1, 1, 1}, 20000, 500, 3, false);
  auto open = many;
  open.periodicity = Periodicity::none;
  for (double tolerance : {1e-3, 1e-6, 1e-9}) {
    check_tolerance(runtime, open, tolerance);
    check_tolerance(runtime, open, tolerance, {.depth = 4});
    check_tolerance(runtime, open, tolerance, {.depth = 3, .well_separation = 2});
  }
  auto const floats = random_system(Kernel::laplace, {1, 1, 1}, 20000, 500, 3, false, true);
  open.sources = floats.sources, open.targets = floats.targets, open.strengths = floats.strengths;
  for (double& x : open.targets) x = double(float(x));  // else rounding them moves them
  for (double tolerance : {1e-3, 1e-5}) check_tolerance<float>(runtime, open, tolerance);
}

TEST_CASE("Stokes kernels are within the tolerance of direct sums") {
  Runtime const runtime({.gpus = 0});
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes}) {
    System s = random_system(kernel, {1, 1, 1}, 4000, 4000, 7);
    s.periodicity = Periodicity::none;
    for (double tolerance : {1e-3, 1e-6, 1e-9}) check_tolerance(runtime, s, tolerance, {.depth = 3});
    System floats = random_system(kernel, {1, 1, 1}, 2000, 2000, 9, true, true);
    floats.periodicity = Periodicity::none;
    check_tolerance<float>(runtime, floats, 1e-4);
    System elsewhere = random_system(kernel, {1, 1, 1}, 4000, 300, 8, false);
    elsewhere.periodicity = Periodicity::none;
    check_tolerance(runtime, elsewhere, 1e-5);
  }
}

TEST_CASE("places far from the origin cost no digits") {
  Runtime const runtime({.gpus = 0});
  System s = random_system(Kernel::stokeslet, {1, 1, 1}, 2000, 2000, 9);
  s.periodicity = Periodicity::none;
  auto const at_home = solve_fmm(runtime, s, {.tolerance = 1e-9, .depth = 3});
  for (std::size_t i = 0; i < s.sources.size(); ++i) s.sources[i] += i % 3 == 0 ? 1024.0 : -512.0;
  s.targets = s.sources;
  CHECK(oracle::relative_error(solve_fmm(runtime, s, {.tolerance = 1e-9, .depth = 3}), at_home) < 1e-9);
}

TEST_CASE("forces of a pair of charges add up to nothing, to the tolerance") {
  Runtime const runtime({.gpus = 0});
  System const s = charges(3000, true, 11);
  auto const u = solve_fmm(runtime, s, {.tolerance = 1e-8});
  double sum[3] = {}, size = 0;
  for (std::size_t i = 0; i < s.strengths.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      sum[d] += s.strengths[i] * u[4 * i + 1 + d];
      size += std::abs(u[4 * i + 1 + d]);
    }
  for (double total : sum) CHECK(std::abs(total) < 1e-8 * size);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::size_t many = 100'000, fewer = 20'000, judged = 200;

struct Run {
  Split split;
  double tolerance;
  Outcome outcome;
};

/// The promise of EwaldOptions::tolerance, for the whole sum and for the far part alone.
template <class T>
void sweep(Kernel kernel, std::size_t count, std::vector<double> const& tolerances,
           std::vector<double> const& gaussian_tolerances) {
  bool const single = sizeof(T) == sizeof(float);
  auto const system = random_system(kernel, {1, 1, 1}, count, judged, 1, true, single);
  std::vector<Run> runs;
  {
    Runtime const runtime;  // gone before the oracle starts: its idle workers poll for tasks
    for (Split split : {Split::pswf, Split::gaussian})
      for (double tolerance : split == Split::pswf ? tolerances : gaussian_tolerances)
        runs.push_back({split, tolerance, solve<T>(runtime, system, {.tolerance = tolerance, .split = split})});
    // Once more with all points as targets, as most users have it: of these the first are judged.
    auto all = system;
    all.targets = all.sources;
    double const tolerance = tolerances[1];
    runs.push_back({Split::pswf, tolerance, solve<T>(runtime, all, {.tolerance = tolerance})});
    auto& all_rows = runs.back().outcome;
    for (auto* rows : {&all_rows.whole, &all_rows.far}) rows->resize(runs[0].outcome.whole.size());
  }
  auto const reference = whole_reference(system);
  for (auto const& [split, tolerance, outcome] : runs) {
    auto const label = describe(system, split, outcome.parameters) + (single ? " single" : "");
    check_error(label + ", whole", system, outcome.whole, reference, tolerance);
    // The far part must also be no worse than the plan says of itself, or its choices rest on nothing.
    double const allowed = std::min(tolerance, 1.5 * outcome.parameters.estimated_error);
    check_error(label + ", far", system, outcome.far, far_reference(system, reference, split, outcome.parameters),
                allowed);
  }
}

std::vector<double> const in_double{1e-3, 1e-6, 1e-9, 1e-12}, in_single{1e-3, 1e-4, 1e-5};

}  // namespace

TEST_CASE("tolerance: stokeslet") { sweep<double>(Kernel::stokeslet, many, in_double, in_double); }

TEST_CASE("tolerance: laplace and its gradient") { sweep<double>(Kernel::laplace, many, in_double, in_double); }

TEST_CASE("tolerance: stokeslet in single precision") { sweep<float>(Kernel::stokeslet, many, in_single, in_single); }

TEST_CASE("tolerance: laplace in single precision") { sweep<float>(Kernel::laplace, many, in_single, in_single); }

TEST_CASE("tolerance: stresslet, alone and with the stokeslet") {
  for (Kernel kernel : {Kernel::stresslet, Kernel::stokes}) sweep<double>(kernel, fewer, in_double, {1e-6});
}

TEST_CASE("tolerance: stresslet, alone and with the stokeslet, in single precision") {
  for (Kernel kernel : {Kernel::stresslet, Kernel::stokes}) sweep<float>(kernel, fewer, in_single, {1e-4});
}

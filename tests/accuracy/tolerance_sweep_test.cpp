// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace nearfar;

namespace {

constexpr std::size_t count = 100'000, judged = 200;

/// The promise of EwaldOptions::tolerance, for the whole sum and for the far part alone.
template <class T>
void sweep(Kernel kernel, std::initializer_list<double> tolerances) {
  Runtime const runtime;
  auto const system = random_system(kernel, {1, 1, 1}, count, judged, 1, true, sizeof(T) == sizeof(float));
  auto const reference = whole_reference(system);
  for (Split split : {Split::pswf, Split::gaussian})
    for (double tolerance : tolerances) {
      auto const outcome = solve<T>(runtime, system, {.tolerance = tolerance, .split = split});
      std::ostringstream label;
      label << describe(system, split, outcome.parameters) << (sizeof(T) == sizeof(float) ? " single" : "");
      check_error(label.str() + ", whole", system, outcome.whole, reference, tolerance);
      check_error(label.str() + ", far", system, outcome.far,
                  far_reference(system, reference, split, outcome.parameters), tolerance);
    }
}

}  // namespace

TEST_CASE("tolerance: stokeslet") { sweep<double>(Kernel::stokeslet, {1e-3, 1e-6, 1e-9, 1e-12}); }

TEST_CASE("tolerance: laplace and its gradient") { sweep<double>(Kernel::laplace, {1e-3, 1e-6, 1e-9, 1e-12}); }

TEST_CASE("tolerance: stokeslet in single precision") { sweep<float>(Kernel::stokeslet, {1e-3, 1e-4, 1e-5}); }

TEST_CASE("tolerance: laplace in single precision") { sweep<float>(Kernel::laplace, {1e-3, 1e-4, 1e-5}); }

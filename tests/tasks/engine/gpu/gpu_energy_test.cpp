// SPDX-License-Identifier: BSD-3-Clause
// Energies and virials of solves on a GPU against those on CPUs.
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/fmm.hpp>
#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class Options>
SolveReport report_on(int gpus, Options const& options, Problem<double> const& p) {
  using Plan = std::conditional_t<std::is_same_v<Options, EwaldOptions>, Ewald, Fmm>;
  Runtime const runtime({.cpus = 1, .gpus = gpus});
  Plan plan(runtime, options);
  auto const points = plan.set_points(p.x);
  std::vector<double> u(points.targets() * std::size_t(result_components(options.kernel, options.outputs)));
  return plan.submit(points, p.f, u).report();
}

/// The largest component of the virial sets the scale.
template <class Options>
void check_on_gpu(Options const& options, double tolerance) {
  CAPTURE(name(options.kernel));
  CAPTURE(int(options.periodicity));
  Problem<double> const p(20000, strength_components(options.kernel));
  SolveReport const on_cpus = report_on(0, options, p), on_gpu = report_on(1, options, p);
  REQUIRE(on_cpus.energy);
  REQUIRE(on_gpu.energy);
  CHECK(*on_gpu.energy == doctest::Approx(*on_cpus.energy).epsilon(tolerance));
  if (!options.virial) return;
  REQUIRE(on_cpus.virial);
  REQUIRE(on_gpu.virial);
  double largest = 0;
  for (double const w : *on_cpus.virial) largest = std::max(largest, std::abs(w));
  for (std::size_t m = 0; m < on_cpus.virial->size(); ++m)
    CHECK(std::abs((*on_gpu.virial)[m] - (*on_cpus.virial)[m]) <= tolerance * largest);
}

}  // namespace

TEST_CASE("energies and virials of Ewald sums: the GPU agrees with the CPU") {
  if (DeviceMemory::devices() == 0) return;
  for (auto const periodicity : {Periodicity::xyz, Periodicity::xy, Periodicity::x, Periodicity::none})
    for (auto const kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa}) {
      EwaldOptions options{.kernel = kernel,
                           .outputs = Output::potential | Output::gradient | Output::hessian,
                           .periodicity = periodicity,
                           .tolerance = 1e-8};
      for (std::size_t d = 0; d < 3; ++d) options.box[d] = is_periodic(periodicity, int(d)) ? 1.2 : 0;
      options.virial = true;
      if (kernel == Kernel::yukawa) options.screening = 5;
      check_on_gpu(options, 1e-7);
    }
}

TEST_CASE("energies of multipole sums: the GPU agrees with the CPU") {
  if (DeviceMemory::devices() == 0) return;
  for (auto const periodicity : {Periodicity::xyz, Periodicity::none})
    for (auto const kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole}) {
      FmmOptions options{.kernel = kernel, .outputs = Output::potential | Output::gradient, .tolerance = 1e-8};
      options.periodicity = periodicity;
      if (periodicity == Periodicity::xyz) options.box = {1.2, 1.2, 1.2};
      check_on_gpu(options, 1e-7);
    }
}

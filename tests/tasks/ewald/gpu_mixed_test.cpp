// SPDX-License-Identifier: BSD-3-Clause
// Solves of which a GPU runs the near part and CPU workers the transforms: in builds without the GPU's FFT all are like
// that, in others those under a scheduler that does not bear tasks for GPUs alone.
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct Mixed {
  std::vector<double> u;
  int pairs_on_gpus = 0, transforms_on_gpus = 0;  ///< tasks
  bool all_on_gpus = false;
};

Mixed solve_with(int gpus, EwaldOptions& options) {
  Runtime const runtime({.scheduler = "heteroprio", .cpus = 2, .gpus = gpus});
  Problem<double> const p(20000, strength_components(options.kernel));  // fewer run on CPUs
  Ewald plan(runtime, options);
  auto const points = plan.set_points(p.x);
  auto const chosen = plan.parameters();
  options.split_parameter = chosen.split_parameter;
  options.grid = chosen.grid;
  options.window_points = chosen.window_points;
  Mixed mixed;
  mixed.all_on_gpus = chosen.on_gpus;
  mixed.u.resize(points.targets() * std::size_t(result_components(options.kernel, options.outputs)));
  for (int repeat = 0; repeat < 3; ++repeat) {
    Solve solve = plan.submit(points, p.f, mixed.u);
    solve.wait();
    for (auto const& use : implementations_used(solve)) {
      if (use.worker == "cpu") continue;
      if (use.stage == "p2p") mixed.pairs_on_gpus += use.tasks;
      if (use.stage == "fft" || use.stage == "scale" || use.stage == "ifft") mixed.transforms_on_gpus += use.tasks;
    }
  }
  return mixed;
}

}  // namespace

TEST_CASE("transforms on CPU workers and pairs on a GPU give the sums of CPUs") {
  if (DeviceMemory::devices() == 0) return;  // another test case says that it is skipped
  for (Kernel const kernel : {Kernel::stokes, Kernel::laplace}) {
    CAPTURE(name(kernel));
    EwaldOptions options{.kernel = kernel, .box = {1.3, 1.3, 1.3}, .tolerance = 1e-9, .cutoff = 0.2};
    options.near_precision = NearPrecision::double_;
    Mixed const cpus = solve_with(0, options), mixed = solve_with(1, options);
    CHECK(!mixed.all_on_gpus);
    CHECK(mixed.pairs_on_gpus > 0);
    CHECK(mixed.transforms_on_gpus == 0);
    CHECK(relative_difference(mixed.u, cpus.u) < 2 * options.tolerance);
  }
}

// CPUs leave stages to GPUs that do them faster; they must not wait for GPUs that are kept from these tasks.
TEST_CASE("a solve that GPUs are kept from ends, after one of the same stages that they ran alone") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.cpus = 2, .gpus = 1});
  Problem<double> const p(50000, 1);
  std::vector<double> u[2];
  for (bool const kept : {false, true, false, true}) {
    Ewald plan(runtime, {.kernel = Kernel::laplace,
                         .tolerance = 1e-4,
                         .implementation = kept ? Implementation::portable : Implementation::tuned});
    auto const points = plan.set_points(p.x);
    u[kept].resize(p.f.size());
    plan.submit(points, p.f, u[kept]).wait();
    if (kept) CHECK(relative_difference(u[false], u[true]) < 2e-4);
  }
}

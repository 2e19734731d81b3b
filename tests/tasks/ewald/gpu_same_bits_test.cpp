// SPDX-License-Identifier: BSD-3-Clause
// A GPU that runs all stages gives the same bits every time, under every such scheduler, with solves beside and points
// set in between.
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class Plan, class Options>
void check_bits(Options const& options) {
  constexpr std::size_t count = 30000;  // the GPU runs all stages of so many, under schedulers that know GPUs
  Problem<double> const p(count, strength_components(options.kernel)),
      other(count, strength_components(options.kernel), 7);
  std::optional<std::vector<double>> expected;
  for (std::string const scheduler : {"overlap", "dmda", "dmdas", "dmdar"}) {
    CAPTURE(scheduler);
    Runtime const runtime({.scheduler = scheduler, .cpus = 2, .gpus = 1});
    Plan plan(runtime, options);
    auto points = plan.set_points(p.x);
    std::size_t const numbers = points.targets() * std::size_t(result_components(options.kernel, options.outputs));
    std::vector<double> u(numbers), v(numbers);
    for (int round = 0; round < 4; ++round) {
      auto beside = plan.submit(points, other.f, v);
      plan.submit(points, p.f, u).wait();
      beside.wait();
      if (!expected) expected = u;
      CHECK(u == *expected);
      if (round != 1) continue;
      static_cast<void>(plan.set_points(other.x));
      points = plan.set_points(p.x);
    }
  }
}

}  // namespace

TEST_CASE("the same bits on the same GPU: every time, and under every scheduler that has it run all stages") {
  if (DeviceMemory::devices() == 0) return;  // another test case says that it is skipped
  Outputs const field = Output::potential | Output::gradient;
  check_bits<Ewald>(EwaldOptions{.kernel = Kernel::laplace, .outputs = field, .tolerance = 1e-6});
  check_bits<Ewald>(EwaldOptions{.kernel = Kernel::stokes, .box = {1.2, 1.2, 1.2}, .tolerance = 1e-9});
  check_bits<Fmm>(FmmOptions{.outputs = field, .tolerance = 1e-6});
  check_bits<Fmm>(FmmOptions{.kernel = Kernel::stokeslet, .tolerance = 1e-4});
}

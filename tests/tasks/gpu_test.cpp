// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/problem.hpp"

#include <cmath>
#include <cstdio>
#include <doctest/doctest.h>

using namespace nearfar;
using test::Problem;

namespace {

/// ctest takes this exit code as "skipped".
constexpr int skipped = 77;

bool has_gpu() {
  for (auto const& worker : Runtime().workers())
    if (worker.kind != "cpu") return true;
  return false;
}

/// The near part alone: with one CPU worker beside it, a GPU takes most P2P tasks.
template <class T>
std::vector<T> near_part(int gpus, Kernel kernel, bool gradient) {
  Runtime const runtime({.scheduler = "dmdas", .cpus = 1, .gpus = gpus});
  BasicEwald<T> plan(runtime, {.kernel = kernel,
                               .gradient = gradient,
                               .box = {1, 1.2, 0.9},
                               .tolerance = 1e-4,
                               .cutoff = 0.15,
                               .grid = std::array{40, 48, 36}});
  Problem<T> const p(20000, strength_components(kernel));
  std::vector<T> u;
  for (int repeat = 0; repeat < (gpus > 0 ? 20 : 1); ++repeat) u = test::solve(plan, p, Part::near);
  return u;
}

template <class T>
double difference(Kernel kernel, bool gradient) {
  auto const cpu = near_part<T>(0, kernel, gradient), gpu = near_part<T>(1, kernel, gradient);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    error += std::pow(double(cpu[i]) - double(gpu[i]), 2);
    size += std::pow(double(cpu[i]), 2);
  }
  return std::sqrt(error / size);
}

}  // namespace

TEST_CASE("p2p: the GPU agrees with the CPU") {
  if (!has_gpu()) {
    std::puts("no GPU worker could be started; skipped");
    std::exit(skipped);
  }
  CHECK(difference<double>(Kernel::stokeslet, false) < 1e-13);
  CHECK(difference<double>(Kernel::stresslet, false) < 1e-13);
  CHECK(difference<double>(Kernel::stokes, false) < 1e-13);
  CHECK(difference<double>(Kernel::laplace, false) < 1e-13);
  CHECK(difference<double>(Kernel::laplace, true) < 1e-13);
  CHECK(difference<float>(Kernel::stokeslet, false) < 1e-5);
  CHECK(difference<float>(Kernel::stokes, false) < 1e-5);
}

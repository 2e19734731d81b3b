// SPDX-License-Identifier: BSD-3-Clause
// What transforms cost by the length of a grid.
#include "bench/gpu/cases.hpp"

#include <cstdio>

namespace nearfar::bench {

namespace {

constexpr int shortest = 96, longest = 512;

/// Whether plans may choose this length: even, and without prime factors above 7.
bool is_choice(int length) {
  int rest = length;
  for (int prime : {2, 3, 5, 7})
    while (rest % prime == 0) rest /= prime;
  return rest == 1 && length % 2 == 0;
}

/// Picoseconds per grid point and component of a solve's transforms of planes, forth and back, and of its columns.
struct Cost {
  double planes = 0, columns = 0;
};

Cost cost_of(Runtime const& runtime, int length, FarPrecision precision, Checks& checks) {
  constexpr std::size_t count = 20000;  // few, so that the grid dominates the time
  constexpr int components = 3;
  Ewald plan(runtime, {.kernel = Kernel::stokeslet,
                       .periodicity = Periodicity::xyz,
                       .tolerance = 1e-5,
                       .far_precision = precision,
                       .grid = std::array<int, 3>{length, length, length}});
  Particles<double> const particles(count, components);
  auto const points = plan.set_points(particles.x);
  DeviceArray<double> const strengths{std::span<double const>(particles.f)}, result(components * count);
  auto const timing = time_solves([&] { return plan.submit(points, strengths.span(), result.span()); }, 3, 1);
  checks.expect(plan.parameters().on_gpus, "a solve on a grid of " + std::to_string(length) + " is not on the GPU");
  double const numbers = components * double(length) * length * length;
  Cost cost;
  for (StageTime const& s : timing.median().stages) {
    if (s.stage == "fft" || s.stage == "ifft") cost.planes += 1e12 * s.seconds / numbers;
    if (s.stage == "scale") cost.columns += 1e12 * s.seconds / numbers;
  }
  return cost;
}

}  // namespace

void print_lengths(Checks& checks) {
  std::printf(
      "## Lengths of transforms\n\nOf Stokeslet sums on cubic grids: picoseconds per grid point and component, forth "
      "and back; columns include scale.\n\n"
      "| length | double: planes | columns | single: planes | columns |\n|---|---|---|---|---|\n");
  setenv("STARPU_CUDA_PIPELINE", "0", 1);
  {
    Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
    for (int length = shortest; length <= longest; length += 2) {
      if (!is_choice(length)) continue;
      Cost const all[] = {cost_of(runtime, length, FarPrecision::double_, checks),
                          cost_of(runtime, length, FarPrecision::single, checks)};
      std::printf("| %d | %.1f | %.1f | %.1f | %.1f |\n", length, all[0].planes, all[0].columns, all[1].planes,
                  all[1].columns);
    }
  }
  unsetenv("STARPU_CUDA_PIPELINE");
  std::printf("\n");
}

}  // namespace nearfar::bench

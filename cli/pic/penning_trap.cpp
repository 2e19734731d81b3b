// SPDX-License-Identifier: BSD-3-Clause
// The Penning trap of the mini-apps ALPINE (Muralikrishnan et al., SIAM Conference on Parallel Processing, 2024).
#include "cli/free_memory.hpp"
#include "cli/io/random.hpp"
#include "cli/pic/start.hpp"

#include <string>

namespace nearfar::cli {

namespace {

constexpr double edge = 20, charge = -1562.5;

/// A coordinate inside the box: values outside are drawn again.
double place(Random& random, double mean, double width) {
  for (;;)
    if (double const x = mean + width * random.normal(); x > 0 && x < edge) return x;
}

}  // namespace

void fill_penning_trap(PicStart& start, std::int64_t particles, std::int64_t seed) {
  auto const count = static_cast<std::size_t>(particles);
  constexpr std::size_t here = 7 * sizeof(double), in_the_loop = 14;
  std::size_t const number = start.precision == Precision::double_ ? sizeof(double) : sizeof(float);
  expect_memory_for(count, here + in_the_loop * number, std::to_string(count) + " particles",
                    "take fewer (--particles), or --precision single");
  start.positions.reserve(3 * count);
  start.velocities.reserve(3 * count);
  start.options.box = {edge, edge, edge};
  start.options.charge_per_mass = -1;
  start.options.external = {
      .gradient = {-0.75, -0.75, 1.5}, .centre = {edge / 2, edge / 2, edge / 2}, .magnetic = {0, 0, 5}};
  Random random(static_cast<std::uint64_t>(seed));
  constexpr double width[3] = {3, 1, 4};
  for (std::int64_t i = 0; i < particles; ++i) {
    for (double const w : width) start.positions.push_back(place(random, edge / 2, w));
    for (int d = 0; d < 3; ++d) start.velocities.push_back(random.normal());
  }
  start.charges.assign(count, charge / static_cast<double>(particles));
}

}  // namespace nearfar::cli

// SPDX-License-Identifier: BSD-3-Clause
// A program of someone who uses nearfar: public headers, the library, and no word of what is inside.
#include <nearfar/nearfar.hpp>

#include <array>
#include <cmath>
#include <cstdio>

int main() {
  std::array<double, 3> const point{0, 0, 0}, force{1, 0, 0};
  std::array<double, 3> velocity{};
  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.tolerance = 1e-6});
  ewald.submit(ewald.set_points(point), force, velocity).wait();
  std::printf("%.5f\n", velocity[0]);
  return std::abs(velocity[0] + 2.837297 * 8 / 6) < 1e-4 ? 0 : 1;  // Hasimoto's constant
}

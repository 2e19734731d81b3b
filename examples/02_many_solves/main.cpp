// SPDX-License-Identifier: BSD-3-Clause
// Several solves in flight on one plan and one set of points.
// A cubic lattice of equal point forces drags fluid along. The images slow every particle by Hasimoto's constant,
// 2.837297 radii per period, in each of the three directions. A fourth solve fails on purpose.
#include <nearfar/nearfar.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using Vector = std::array<double, 3>;
  std::vector<Vector> const forces = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {NAN, 0, 0}};
  std::vector<Vector> velocities(forces.size());
  std::atomic<int> ended = 0;

  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::stokeslet, .tolerance = 1e-9});
  auto points = ewald.set_points(Vector{0.5, 0.5, 0.5});

  std::vector<nearfar::Solve> solves;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    solves.push_back(ewald.submit(points, forces[i], velocities[i]));
    solves.back().then([&ended] { ++ended; });
  }
  for (std::size_t i = 0; i < solves.size(); ++i) try {
      solves[i].wait();
      std::printf("force along %c: slowed by %.6f\n", "xyz"[i], -6.0 / 8 * velocities[i][i]);
    } catch (nearfar::Error const& error) {
      std::printf("solve %zu failed alone: %s\n", i, error.what());
    }
  std::printf("%d solves ended\n", ended.load());
}

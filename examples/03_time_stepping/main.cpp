// SPDX-License-Identifier: BSD-3-Clause
// usage: example_03_time_stepping [BEADS STEPS FILE]
// Time stepping with moving points: two blobs of a suspension settle through a viscous fluid. The same force pulls
// every bead down. Each bead drags the fluid along, so that a blob falls much faster than one bead, and the upper blob
// falls into the wake of the lower one, is stretched, and threads through it. Beads are structs, whose positions the
// library reads and whose velocities it writes in place. FILE gets the positions at the start, half-way and at the end.
#include <nearfar/nearfar.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <vector>

namespace {

struct Bead {
  int blob;
  double position[3];
  double force[3] = {0, 0, -1};
  float velocity[3] = {};
};

constexpr double radius = 1, apart = 3;

/// Random beads in two balls, one above the other and slightly offset.
std::vector<Bead> two_blobs(int beads) {
  std::mt19937 random(1);
  auto const uniform = [&] { return 2 * (random() / 4294967296.0) - 1; };
  std::vector<Bead> all;
  while (int(all.size()) < beads) {
    double const x = uniform(), y = uniform(), z = uniform();
    if (x * x + y * y + z * z > radius * radius) continue;
    int const blob = int(all.size() % 2);
    all.push_back({blob, {x + 0.3 * blob, y, z + apart * blob}});
  }
  return all;
}

/// Mean height of the beads of a blob.
double height(std::vector<Bead> const& beads, int blob) {
  double sum = 0, count = 0;
  for (Bead const& bead : beads)
    if (bead.blob == blob) sum += bead.position[2], ++count;
  return sum / count;
}

}  // namespace

int main(int argc, char** argv) {
  int const count = argc > 1 ? std::atoi(argv[1]) : 600, steps = argc > 2 ? std::atoi(argv[2]) : 30;
  auto beads = two_blobs(count);
  // N forces in a ball of radius R give each other the mean velocity 8/5 N / R, and those of a ball at distance d above
  // or below N (2 / d - 4/5 R^2 / d^3). A step is a tenth of the time to fall by a radius.
  double const n = count / 2.0, own = 1.6 * n / radius,
               other = n * (2 / apart - 0.8 * radius * radius / std::pow(apart, 3)),
               time_step = 0.1 * radius / (own + other);

  auto const positions = nearfar::RowsIn::strided(beads[0].position, beads.size(), 3, sizeof(Bead));
  auto const forces = nearfar::RowsIn::strided(beads[0].force, beads.size(), 3, sizeof(Bead));
  auto const velocities = nearfar::RowsOut::strided(beads[0].velocity, beads.size(), 3, sizeof(Bead));
  std::ofstream file;
  if (argc > 3) file.open(argv[3]);
  auto const write = [&](int step) {
    for (Bead const& b : beads) file << step << ',' << b.blob << ',' << b.position[0] << ',' << b.position[2] << '\n';
  };

  nearfar::Runtime runtime;
  nearfar::Fmm fmm(runtime, {.kernel = nearfar::Kernel::stokeslet, .tolerance = 1e-4});
  auto points = fmm.set_points(positions);
  double const start[2] = {height(beads, 0), height(beads, 1)};
  for (int step = 0; step < steps; ++step) {
    if (step == 0 || step == steps / 2) write(step);
    if (step > 0) points = fmm.move_points(points, positions);  // keeps the boxes as long as possible
    fmm.submit(points, forces, velocities).wait();
    if (step == 0) {
      double mean = 0;
      for (Bead const& b : beads) mean -= double(b.velocity[2]) / count;
      std::printf("%d beads begin to fall at %.1f times the speed of two balls of force\n", count,
                  mean / (own + other));
    }
    for (Bead& b : beads)
      for (int d = 0; d < 3; ++d) b.position[d] += time_step * double(b.velocity[d]);
  }
  write(steps);
  double const end[2] = {height(beads, 0), height(beads, 1)};
  std::printf("the lower blob fell by %.1f radii, the upper one by %.1f more\n", start[0] - end[0],
              start[1] - end[1] - (start[0] - end[0]));
}

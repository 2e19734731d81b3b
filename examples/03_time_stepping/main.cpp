// SPDX-License-Identifier: BSD-3-Clause
// Time stepping with many solves in flight: all systems of an ensemble move at once, on one plan.
// A horizontal ring of equal forces falls through a viscous fluid as a whole, and keeps its shape. Its particles see
// each other side on, so the speed is that of a sum: 1 / r over the others.
#include <nearfar/nearfar.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

namespace {

constexpr int particles = 48, steps = 10;
constexpr double time_step = 0.005, middle = 5, start = 19;

struct Ring {
  explicit Ring(double radius) : radius(radius), velocity(3 * particles) {
    for (int i = 0; i < particles; ++i) {
      double const angle = 2 * std::numbers::pi * i / particles;
      x.insert(x.end(), {middle + radius * std::cos(angle), middle + radius * std::sin(angle), start});
      force.insert(force.end(), {0, 0, -1});
    }
  }
  double expected_speed() const {
    double sum = 0;
    for (int i = 1; i < particles; ++i) sum += 1 / (2 * radius * std::sin(std::numbers::pi * i / particles));
    return sum;
  }

  double radius;
  std::vector<double> x, force, velocity;
  nearfar::Solve solve;
};

}  // namespace

int main() {
  std::vector<Ring> rings;
  for (double radius : {1.0, 2.0, 3.0, 4.0}) rings.emplace_back(radius);

  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.periodicity = nearfar::Periodicity::none,  // the plan is made once, for all steps
                                 .box = {10, 10, 20},
                                 .tolerance = 1e-8,
                                 .count = particles});
  for (int step = 0; step < steps; ++step) {
    for (auto& ring : rings) ring.solve = ewald.submit(ewald.set_points(ring.x), ring.force, ring.velocity);
    for (auto& ring : rings) {  // while the first ones move, the others are still being computed
      ring.solve.wait();
      for (std::size_t i = 0; i < ring.x.size(); ++i) ring.x[i] += time_step * ring.velocity[i];
    }
  }
  for (auto const& ring : rings)
    std::printf("ring of radius %g: fell %.5f, expected %.5f\n", ring.radius, start - ring.x[2],
                steps * time_step * ring.expected_speed());
}

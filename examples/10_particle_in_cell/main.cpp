// SPDX-License-Identifier: BSD-3-Clause
// A particle-in-cell loop: a ball of charge that its own field drives apart. Energy is read along the way while the
// next steps are already submitted. Under mpirun, ranks share the loop, and the first one gives the particles.
#include <nearfar/nearfar.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

int main() {
  nearfar::Runtime runtime;

  // A unit charge, spread evenly over a ball of radius 1 in a box of 5, at rest.
  std::vector<double> positions;
  int const across = runtime.rank() == 0 ? 40 : 0;
  for (int i = 0; i < across * across * across; ++i) {
    double const x = (2 * (i / across / across) + 1.0) / across - 1, y = (2 * (i / across % across) + 1.0) / across - 1,
                 z = (2 * (i % across) + 1.0) / across - 1;
    if (x * x + y * y + z * z < 1) positions.insert(positions.end(), {x + 2.5, y + 2.5, z + 2.5});
  }
  std::size_t const count = positions.size() / 3;
  std::vector<double> const at_rest(3 * count), charges(count, 1.0 / double(count));

  // Its radius obeys r'' = 1 / (4 pi r^2), and doubles after this time.
  double const time = std::sqrt(2 * std::numbers::pi) * (std::numbers::sqrt2 + std::log(1 + std::numbers::sqrt2));
  nearfar::Pic pic(runtime, {.grid = {48, 48, 48}, .box = {5, 5, 5}, .time_step = time / 100}, positions, at_rest,
                   charges);
  std::vector<nearfar::PicTotals> totals(5);
  std::vector<nearfar::Solve> in_flight;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (i > 0) in_flight.push_back(pic.advance(25));
    in_flight.push_back(pic.read({.totals = &totals[i]}));
  }
  std::vector<double> after(3 * count);
  in_flight.push_back(pic.read({.positions = after}));
  for (auto& solve : in_flight) solve.wait();
  if (runtime.rank() > 0) return 0;

  for (auto const& t : totals) std::printf("time %.2f: kinetic %.4f, field %.4f\n", t.time, t.kinetic, t.field);
  double before_squared = 0, after_squared = 0;
  for (std::size_t i = 0; i < 3 * count; ++i) {
    before_squared += (positions[i] - 2.5) * (positions[i] - 2.5);
    after_squared += (after[i] - 2.5) * (after[i] - 2.5);
  }
  std::printf("radius grew %.1f times, expected 2.0\n", std::sqrt(after_squared / before_squared));
}

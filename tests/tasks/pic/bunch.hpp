// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/tasks/problem.hpp"

#include <nearfar/nearfar.hpp>

#include <random>
#include <vector>

namespace nearfar::test {

/// Particles for tests of the particle-in-cell loop.
template <class T = double>
struct Bunch {
  std::vector<T> positions, velocities, charges;

  Bunch() = default;
  /// A Gaussian of width `sigma` in the middle of a box of edge 1, at rest; `charge` in all.
  Bunch(std::size_t count, double sigma, double charge, unsigned seed = 1)
      : velocities(3 * count), charges(count, T(charge / double(count))) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0.5, sigma);
    while (positions.size() < 3 * count)
      if (double const x = normal(random); x > 0 && x < 1) positions.push_back(T(x));
  }

  BasicPic<T> loop(Runtime const& runtime, PicOptions const& options, std::int64_t step = 0) const {
    return BasicPic<T>(runtime, options, positions, velocities, charges, step);
  }
};

template <class T>
struct State {
  std::vector<T> positions, velocities;
  bool operator==(State const&) const = default;
};

template <class T>
State<T> state_of(BasicPic<T>& loop) {
  State<T> s{std::vector<T>(3 * loop.particles()), std::vector<T>(3 * loop.particles())};
  loop.read({.positions = s.positions, .velocities = s.velocities}).wait();
  return s;
}

template <class T>
PicTotals totals_of(BasicPic<T>& loop) {
  PicTotals totals;
  loop.read({.totals = &totals}).wait();
  return totals;
}

}  // namespace nearfar::test

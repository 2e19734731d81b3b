// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/oracle/oracle.hpp"
#include "tests/oracle/pair.hpp"

#include <cstddef>
#include <random>
#include <vector>

namespace nearfar {

/// Uniform in [0, 1); the same on every standard library, which the standard's own distributions are not.
inline double uniform(std::mt19937_64& generator) { return double(generator() >> 11) * 0x1p-53; }

/// Rows of points uniform in the box.
inline std::vector<double> random_points(std::size_t count, oracle::Box const& box, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<double> points(3 * count);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = uniform(generator) * box[i % 3];
  return points;
}

/// Rows of strengths uniform in [-1, 1); their sum is not zero.
inline std::vector<double> random_strengths(Kernel kernel, std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<double> strengths(count * oracle::strength_row(kernel));
  for (double& s : strengths) s = 2 * uniform(generator) - 1;
  return strengths;
}

}  // namespace nearfar

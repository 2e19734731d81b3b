// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/oracle/random_points.hpp"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <random>

namespace nearfar::hunt {

/// Random choices, the same on every standard library.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed * 0x9e3779b97f4a7c15U + 1) {}

  double real(double low = 0, double high = 1) { return low + (high - low) * uniform(generator_); }
  /// Evenly over the powers between.
  double scale(double low, double high) { return low * std::pow(high / low, real()); }
  int whole(int low, int high) { return low + int(real() * (high - low + 1)); }
  bool chance(double share) { return real() < share; }
  template <class V>
  V one_of(std::initializer_list<V> values) {
    return *(values.begin() + whole(0, int(values.size()) - 1));
  }
  double normal() { return std::sqrt(-2 * std::log(1 - real())) * std::cos(2 * std::numbers::pi * real()); }

 private:
  std::mt19937_64 generator_;
};

}  // namespace nearfar::hunt

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace nearfar::cli {

/// Random numbers with the same bits on every machine: the distributions of <random> are each library's own, and log
/// and cos differ in the last bit, so only the generator is the standard's, and all else is + - * / and sqrt.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  double unit() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }  ///< [0, 1)
  double symmetric() { return 2 * unit() - 1; }                           ///< [-1, 1)
  double normal();                                                        ///< mean 0, variance 1
  std::array<double, 3> direction();                                      ///< uniform on the unit sphere

 private:
  bool exponential_chance(double x);

  std::mt19937_64 bits_;
};

}  // namespace nearfar::cli

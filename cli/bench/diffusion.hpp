// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace nearfar::cli {

/// Points in a box that take random steps of up to `length` along each direction. They are reflected at the walls of
/// free directions.
template <class T>
class Diffusion {
 public:
  Diffusion(std::array<double, 3> const& box, int periodic, double length, std::uint64_t seed)
      : box_(box), periodic_(static_cast<std::size_t>(periodic)), step_(-length, length), random_(seed) {}

  void step(std::vector<T>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      double const edge = box_[i % 3];
      double to = static_cast<double>(x[i]) + step_(random_);
      if (i % 3 < periodic_) to -= edge * std::floor(to / edge);
      else if (to < 0 || to > edge) to = to < 0 ? -to : 2 * edge - to;
      x[i] = static_cast<T>(to);
    }
  }

 private:
  std::array<double, 3> box_;
  std::size_t periodic_;
  std::uniform_real_distribution<double> step_;
  std::mt19937_64 random_;
};

}  // namespace nearfar::cli

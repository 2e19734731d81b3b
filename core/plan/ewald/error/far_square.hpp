// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

namespace nearfar {

/// Not relative to anything: the mean square over the targets for strengths whose squares add up to 1, by the power of
/// k beside the multiplier. Of potential or velocity of forces, of gradient or velocity of a double layer, and so on;
/// and of pressures.
struct FarNoise {
  static constexpr std::size_t powers = 4;
  std::array<double, powers> field{}, pressure{};

  FarNoise operator+(FarNoise b) const noexcept {
    for (std::size_t q = 0; q < powers; ++q) b.field[q] += field[q], b.pressure[q] += pressure[q];
    return b;
  }
};

/// Square of a relative error: what points without a pattern feel, and what lattices feel beside that. Plans are made
/// for the sum; for nearly all points it says far too much, so what is announced takes in only so much of a lattice's
/// share.
struct FarSquare {
  double random = 0;
  double lattice = 0;
  FarNoise noise{};

  double total() const noexcept { return random + lattice; }
  double announced() const noexcept { return random + (lattice < 9 * random ? lattice : 9 * random); }
  FarSquare operator+(FarSquare const& b) const noexcept {
    return {random + b.random, lattice + b.lattice, noise + b.noise};
  }
};

}  // namespace nearfar

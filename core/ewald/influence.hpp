// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far_multiplier.hpp"
#include "core/ewald/truncation.hpp"
#include "core/ewald/window.hpp"

#include <nearfar/ewald.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace nearfar {

/// Numbers that a mode's influence function has: one; xx, yy, zz, xy, xz, yz of a symmetric tensor; and with a double
/// layer x, y, z of what i times its scalar is multiplied by.
constexpr int influence_numbers(Kernel kernel) {
  if (kernel == Kernel::laplace) return 1;
  return kernel == Kernel::stokeslet ? 6 : 9;
}

/// One of them along one direction: the sine or the cosine transform of itself.
constexpr bool is_odd(int number, int direction) {
  if (number < 3) return false;
  return number < 6 ? number + direction != 5 : number == 6 + direction;
}

struct InfluenceAxis {
  int size = 2;  ///< points of the grid
  int cut = 4;   ///< points of the transform that the cut kernel was made for
  double spacing = 1;

  int transform() const { return 2 * size; }
  int samples() const { return cut / 2 + 1; }
  int modes() const { return size + 1; }
};

/// What the far part in free space multiplies modes by, on twice the grid (ewald.md, Sec. 3.1). The cut kernel is known
/// by its modes, and they need a grid of 2.7 times the length and more. But the differences of two points of the grid
/// are less than the grid: the modes are brought back to space, all beyond that is dropped, and the rest is transformed
/// anew. Nothing is lost by it: the sums on the grid are the same to rounding. All components are real and even or odd
/// along every direction, so that one octant holds all, and the map is the product of one for each direction.
/// Plain data: it travels inside task arguments. Directions are ours.
struct InfluenceFunction {
  InfluenceAxis axis[3];
  Kernel kernel = Kernel::stokeslet;
  FarMultiplier<double> far;
  Truncation truncation;
  double zero_mode[3] = {};  ///< of xx, yy and zz at k = 0
  double scale = 1;          ///< what undoes all transforms, and the volume

  int numbers() const { return influence_numbers(kernel); }
  /// Modes along y and z.
  std::int64_t plane() const { return std::int64_t(axis[1].modes()) * axis[2].modes(); }
  std::int64_t table_size() const { return numbers() * plane() * axis[0].modes(); }

  /// Where corrections of a direction begin, and how many there are.
  int first_correction(int d) const {
    int first = 0;
    for (int e = 0; e < d; ++e) first += axis[e].samples();
    return first;
  }
  int corrections() const { return first_correction(3); }

  double wave_number(int d, int mode) const;
  /// What all numbers of a mode are a multiple of, but for the window.
  double radial(double squared) const;
};

/// A number of wave vector k, over its radial part.
double influence_number(InfluenceFunction const& f, int number, std::array<double, 3> const& k, double squared);

/// For a plan in a box without periods; options and parameters in one unit.
InfluenceFunction make_influence_function(EwaldOptions const& options, EwaldParameters const& parameters);

/// One over the square of the window's transform for all samples of each direction, one direction after the other; 0
/// for the highest mode, whose sign is not defined.
std::vector<double> influence_corrections(InfluenceFunction const& f, WindowShape const& window);

}  // namespace nearfar

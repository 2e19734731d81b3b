// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far/far_multiplier.hpp"
#include "core/ewald/split/truncation.hpp"
#include "core/ewald/window/window.hpp"
#include "core/kernels/split.hpp"

#include <nearfar/ewald.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace nearfar {

/// One number of a mode's influence function: a scalar; xx, yy, zz, xy, xz, yz of a symmetric tensor; or x, y, z of a
/// vector, of the velocity or the pressure.
struct InfluenceNumber {
  enum { scalar, tensor, vector, pressure } kind;
  int component;
};
constexpr InfluenceNumber influence_number(TableParts parts, int number) {
  if (parts.pressure && number >= parts.first_of_pressure())
    return {InfluenceNumber::pressure, number - parts.first_of_pressure()};
  if (parts.vector && number >= parts.first_of_vector())
    return {InfluenceNumber::vector, number - parts.first_of_vector()};
  if (parts.tensor && number >= parts.first_of_tensor())
    return {InfluenceNumber::tensor, number - parts.first_of_tensor()};
  return {InfluenceNumber::scalar, 0};
}

/// Such a number along one direction: a sine or a cosine transform.
constexpr bool is_odd(InfluenceNumber number, int direction) {
  if (number.kind == InfluenceNumber::vector || number.kind == InfluenceNumber::pressure)
    return number.component == direction;
  return number.kind == InfluenceNumber::tensor && number.component >= 3 && number.component + direction != 5;
}

struct InfluenceAxis {
  int size = 2;  ///< points of the grid
  int cut = 4;   ///< points of the transform with which the cut kernel was made
  double spacing = 1;

  int transform() const { return 2 * size; }
  int samples() const { return cut / 2 + 1; }
  int modes() const { return size + 1; }
};

/// The factors of the far part's modes in free space, on twice the grid (ewald.md, Sec. 3.1). The cut
/// kernel is known by its modes, which need a grid 2.7 times as long and more. But any two grid points
/// are less than a grid apart: so the modes are transformed to space, everything beyond that is dropped,
/// and the rest is transformed back. This loses nothing: the sums on the grid agree to rounding. All
/// components are real and even or odd along every direction, so one octant holds all of them, and the
/// map is a product of one per direction. Plain data for task arguments. Directions are ours.
struct InfluenceFunction {
  InfluenceAxis axis[3];
  TableParts parts;
  FarMultiplier<double> far;
  Truncation truncation;
  FarMultiplier<double> far_pressure;  ///< of the pressure, with the same band
  Truncation pressure_truncation;
  double zero_mode[3] = {};  ///< of a scalar, or of xx, yy and zz, at k = 0
  double scale = 1;          ///< undoes the scaling of all transforms, and includes the volume

  int numbers() const { return parts.numbers(); }
  InfluenceNumber number(int i) const { return influence_number(parts, i); }
  /// Modes along y and z.
  std::int64_t plane() const { return std::int64_t(axis[1].modes()) * axis[2].modes(); }
  std::int64_t table_size() const { return numbers() * plane() * axis[0].modes(); }

  /// Where the corrections of a direction begin, and how many there are.
  int first_correction(int d) const {
    int first = 0;
    for (int e = 0; e < d; ++e) first += axis[e].samples();
    return first;
  }
  int corrections() const { return first_correction(3); }

  double wave_number(int d, int mode) const;
  /// The common factor of all numbers of a mode, apart from the window; of those of the pressure.
  double radial(double squared) const;
  double radial_of_pressure(double squared) const;
};

/// A number of wave vector k, divided by its radial part.
double influence_value(InfluenceFunction const& f, InfluenceNumber number, std::array<double, 3> const& k,
                       double squared);

/// For a plan in a box without periods; options and parameters in the same unit.
InfluenceFunction make_influence_function(EwaldOptions const& options, EwaldPlanning const& parameters);

/// 1 over the square of the window's transform, for all samples of each direction,
/// direction after direction; 0 for the highest mode, whose sign is not defined.
std::vector<double> influence_corrections(InfluenceFunction const& f, WindowShape const& window);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"
#include "core/math/function.hpp"

#include <array>
#include <cmath>

namespace nearfar {

/// The vectors of a cell, one a row.
using CellRows = std::array<std::array<double, 3>, 3>;

NEARFAR_FUNCTION double dot(double const* a, double const* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
NEARFAR_FUNCTION void cross(double const* a, double const* b, double* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/// A cell of any shape, left-handed ones too, and what follows from its rows a_i: the reciprocal rows b_i without 2 pi,
/// b_i . a_j = delta_ij, and the heights, which are the distances between opposite faces. A point x is at the fraction
/// b_i . x along row i. Plain data that travels inside task arguments.
struct CellLattice {
  double row[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double reciprocal[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double height[3] = {1, 1, 1};

  /// Rows of a cell that has a volume.
  static CellLattice of(CellRows const& rows) {
    CellLattice l;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 3; ++c) l.row[i][c] = rows[i][c];
    for (int i = 0; i < 3; ++i) {
      cross(l.row[(i + 1) % 3], l.row[(i + 2) % 3], l.reciprocal[i]);
      double const whole = dot(l.row[i], l.reciprocal[i]);
      for (double& c : l.reciprocal[i]) c /= whole;
      l.height[i] = 1 / std::sqrt(dot(l.reciprocal[i], l.reciprocal[i]));
    }
    return l;
  }

  NEARFAR_FUNCTION double length(int i) const { return sqrt(dot(row[i], row[i])); }
  NEARFAR_FUNCTION double volume() const {
    double face[3];
    cross(row[1], row[2], face);
    return fabs(dot(row[0], face));
  }
  NEARFAR_FUNCTION double fraction(int i, double const* x) const { return dot(reciprocal[i], x); }

  /// The vector to the image in cell (i, j, k).
  NEARFAR_FUNCTION void shift(double i, double j, double k, double* out) const {
    for (int c = 0; c < 3; ++c) out[c] = i * row[0][c] + j * row[1][c] + k * row[2][c];
  }
  /// The wave vector of mode (i, j, k), 2 pi included.
  NEARFAR_FUNCTION void wave(double i, double j, double k, double* out) const {
    for (int c = 0; c < 3; ++c)
      out[c] = 2 * pi<double> * (i * reciprocal[0][c] + j * reciprocal[1][c] + k * reciprocal[2][c]);
  }
};

/// Another basis of the same lattice: row i is the sum over j of steps[i][j] times the given row j.
struct ReducedCell {
  CellRows rows;
  std::array<std::array<long long, 3>, 3> steps;
};

/// The basis with the shortest rows, of the rows that repeat: no integer combination of the others shortens any, and so
/// the product of the lengths of three is at most sqrt(2) times the volume. Windows, grids and lists of cells cost as
/// little as they can there. Each row stays in its place, one that cannot be shortened as it is; where two are equally
/// short, the component along the shorter row is positive, so that tilts that differ by a whole row have the same bits
/// wherever the difference has. Rows must not be nearly parallel, and finite.
ReducedCell reduced(CellRows const& rows, std::array<bool, 3> const& repeats = {true, true, true});

/// The volume over that of a box with edges as long as the rows: 1 for right angles, 0 for rows in one plane.
double fullness(CellRows const& rows) noexcept;

}  // namespace nearfar

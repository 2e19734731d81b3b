// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/poisson/green.hpp"

#include <array>
#include <vector>

/// Poisson's equation on a grid by the textbook: whole arrays, FFTW, nothing pruned. It shares the samples of the
/// Green's function with the library at most; whole_green_function shares nothing.
namespace nearfar::plain {

using Size = std::array<int, 3>;
using Array = std::vector<double>;  ///< [x][y][z]

/// The octant of multipliers, [x][y][z] with modes() of each axis, from sample_green_row and cosine transforms.
Array green_table(GreenFunction const& green);

/// The same from the formulas of Vico et al.: the kernel on all modes of a grid of padded size, a complex transform,
/// the corner cut out and mirrored, a complex transform. All directions open.
Array whole_green_table(Size const& grid, std::array<double, 3> const& box, Size const& padded, double radius);

/// Potential, and the field -grad phi along x, y, z where asked for, of a density.
struct Solution {
  Array potential;
  std::array<Array, 3> field;
};
Solution solve(GreenFunction const& green, Array const& table, Array const& density, bool field = false);

double relative_error(Array const& a, Array const& b);

}  // namespace nearfar::plain

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/boundary_terms.hpp"
#include "core/fmm/packed.hpp"

#include <array>
#include <vector>

namespace nearfar {

/// Sums of irregular harmonics over the images of a cell that are not near (fmm.md, Sec. 2, method
/// A, after Nijboer and De Wette): S_n^m = sum of I_n^m(k) over the lattice, |k|_inf > separation
/// in cells, by Ewald's method for each degree; packed, degrees 0 .. `degree`. Real, and 0 for odd
/// n or m. S_0 is 0, and conditionally convergent sums are ordered so that a neutral cell without a
/// dipole, or one in a conductor after boundary_terms, comes out right. `edge`: of the cell, in
/// units of its longest; `splitting` scales Ewald's parameter, on which the result does not depend.
std::vector<double> lattice_sums(int degree, int separation, std::array<double, 3> const& edge = {1, 1, 1},
                                 double splitting = 1);

/// The value of S_0 with a uniform neutralising background, in units of 1 / edge: for
/// a cube Wigner's constant -2.837... minus the sum of 1 / |k| over the near images.
double lattice_constant(int separation, std::array<double, 3> const& edge = {1, 1, 1}, double splitting = 1);

/// The table of stage `lattice`: lattice_sums up to degree 2 order, in units of half the longest edge of the cell. Of
/// short cells they would leave single precision. `aspect`: its edges relative to the longest.
std::vector<double> make_lattice_table(int order, int separation, std::array<double, 3> const& aspect = {1, 1, 1});

/// What surrounds the infinitely many cells.
enum class Surrounding { conductor, vacuum };

/// `edge`: the longest edge.
BoundaryTerms boundary_terms(CellMoments const& moments, double edge, int separation, Surrounding surrounding,
                             std::array<double, 3> const& aspect = {1, 1, 1});

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/lattice.hpp"

#include <nearfar/ewald.hpp>

#include <array>

namespace nearfar {

/// The options with a cell as plans work with it: reduced, with the lengths of its rows as the box; or none, where the
/// box says the same, so that cells at right angles are those boxes to the last bit. Throws Error{bad_input} for a cell
/// that has no volume, rows that are nearly parallel or not finite, free directions that are not normal to the periodic
/// ones, a box beside a cell, or a grid set by hand for rows that are not those of the reduced cell.
EwaldOptions with_reduced_cell(EwaldOptions options);

/// What follows follows from such options. Rows along free directions are those of the box.
CellRows rows_of(EwaldOptions const& options);
/// The same by our axes, rows and components.
CellRows rows_inside(EwaldOptions const& options);
/// Distances between opposite faces.
std::array<double, 3> heights_of(EwaldOptions const& options);
/// The volume over the product of the edges, 1 for right angles: so much denser are points than in that box.
double fullness_of(EwaldOptions const& options);

}  // namespace nearfar

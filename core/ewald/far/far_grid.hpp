// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/grid.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// Along a free direction a grid has at least this many points more than
/// its window is wide: room for the box, and a margin for rounding.
inline constexpr int room_beside_window = 4;

/// Spacing of a given number of grid points along a free direction; the windows need some of the points.
double spacing_free(double edge, int points, int window_points);

/// Grid points needed along a free direction at this spacing for points that extend over `edge`.
int grid_points_free(double edge, double spacing, int window_points, double cutoff);

/// Edges of the region that the grid covers: the box plus, along free directions (ewald.md,
/// Sec. 3), a margin for the windows that is at least the cutoff. All by the caller's axes.
std::array<double, 3> grid_edges(EwaldOptions const& options, EwaldPlanning const& parameters);

/// The part of the grid that holds points: the error model treats it as a periodic grid full
/// of points. A box much thinner than its margins counts as half of what the grid covers.
struct FilledGrid {
  std::array<double, 3> edge;
  std::array<int, 3> size;
};
FilledGrid filled_grid(EwaldOptions const& options, EwaldPlanning const& parameters);

/// Radius at which the Green's function is cut, for modes whose field does not decay; 0 without free directions.
double truncation_radius(EwaldOptions const& options, EwaldPlanning const& parameters);

/// Length of the transforms, by the caller's axes, for modes that are constant along periodic
/// directions: the grid is zero-padded along free ones until no image of the cut kernel is in reach.
std::array<int, 3> cut_transforms(EwaldOptions const& options, EwaldPlanning const& parameters);

/// The grid of a plan, with all its transforms.
Grid make_grid(EwaldOptions const& options, EwaldPlanning const& parameters);

/// Cost of transforming the planes of one component, in modes of unpadded planes of 64 x 64 points.
double plane_points(SpectralLayout const& layout);

/// Modes of all columns, padding included: what the column stage works on.
double column_points(SpectralLayout const& layout);

}  // namespace nearfar

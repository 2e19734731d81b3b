// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/grid.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// The smallest even number that is at least this and suits an FFT.
int even_smooth_at_least(double least);

/// A grid has this many points more along a free direction than its window is wide, at least: room for the box, and to
/// keep rounding inside.
inline constexpr int room_beside_window = 4;

/// Spacing of a given number of grid points along a free direction, by what the windows need.
double spacing_free(double edge, int points, int window_points);

/// Grid points that a free direction needs for points that extend over `edge`, at this spacing.
int grid_points_free(double edge, double spacing, int window_points, double cutoff);

/// Edges of what the grid covers: the box, and in free directions (ewald.md, Sec. 3) room around it for the windows,
/// and at least the cutoff. All by the caller's axes.
std::array<double, 3> grid_edges(EwaldOptions const& options, EwaldParameters const& parameters);

/// The part of the grid that the points are in: what the error model takes for a periodic grid full of points. A box
/// much thinner than its margins counts as half of what the grid covers.
struct FilledGrid {
  std::array<double, 3> edge;
  std::array<int, 3> size;
};
FilledGrid filled_grid(EwaldOptions const& options, EwaldParameters const& parameters);

/// Radius at which the Green's function is cut where the field of a mode does not decay; 0 without free directions.
double truncation_radius(EwaldOptions const& options, EwaldParameters const& parameters);

/// Points of the transforms, by the caller's axes, of modes that are constant along periodic directions: zeros follow
/// the grid along free ones, so that no image of what is cut comes into reach.
std::array<int, 3> cut_transforms(EwaldOptions const& options, EwaldParameters const& parameters);

/// The grid of a plan with all its transforms.
Grid make_grid(EwaldOptions const& options, EwaldParameters const& parameters);

/// What the transforms of the planes cost, in modes of planes of 64 x 64 points without zeros, of one component.
double plane_points(SpectralLayout const& layout);

/// Modes of all columns, with the zeros behind the grid: what the column stage works on.
double column_points(SpectralLayout const& layout);

}  // namespace nearfar

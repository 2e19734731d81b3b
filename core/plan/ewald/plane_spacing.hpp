// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/length_unit.hpp"

#include <array>
#include <span>

namespace nearfar {

/// Distance of the planes across each axis on which points lie, some of which may be empty; 0 where they lie on none.
using PlaneSpacing = std::array<double, 3>;

/// Of points (rows x, y, z), wrapped into `box`, `origin` its lower corner, both in `unit`. Points that are out of
/// their plane by up to a tenth of the distance still lie on it. Looks at some thousands of the points.
template <class T>
PlaneSpacing plane_spacing(std::array<double, 3> const& box, std::array<double, 3> const& origin,
                           std::span<T const> points, LengthUnit const& unit = {});

/// Of caesium chloride with so many ions, if that fills the box with whole cells: for plans made before there are
/// points.
PlaneSpacing plane_spacing_of_crystal(std::array<double, 3> const& box, double ions);

}  // namespace nearfar

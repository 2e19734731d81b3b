// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>

#include <array>
#include <vector>

namespace nearfar {

using GridSize = std::array<int, 3>;

/// Grids to choose from, coarse to fine: about the same spacing in all directions, sizes that suit an FFT, steps of a
/// few percent; none has fewer than `least` points in any direction.
std::vector<GridSize> candidate_grids(std::array<double, 3> const& box, int least);

/// The highest wave number that a grid holds in every direction.
double highest_mode(std::array<double, 3> const& box, GridSize const& grid);

}  // namespace nearfar

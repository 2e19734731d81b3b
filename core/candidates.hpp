// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>

#include <array>
#include <vector>

namespace nearfar {

using GridSize = std::array<int, 3>;

/// Grid points along periodic directions, the spacing along free ones: how many points those need follows from the
/// window.
struct GridChoice {
  GridSize size{};
  double spacing = 0;
};

/// Grids to choose from, coarse to fine: about the same spacing in all directions, sizes that suit an FFT, steps of a
/// few percent; none has fewer than `least` points in a periodic direction.
std::vector<GridChoice> candidate_grids(std::array<double, 3> const& box, Periodicity periodicity, int least);

}  // namespace nearfar

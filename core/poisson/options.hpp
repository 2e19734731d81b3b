// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/axes.hpp"
#include "core/poisson/green.hpp"

#include <nearfar/poisson.hpp>

namespace nearfar {

/// Throws Error{bad_input} for invalid options, each with what would be right.
void check_options(PoissonOptions const& options);

/// The grid that is solved on, by our axes: open directions first. An earthed
/// face has a mirror image of the box behind it, which takes as many cells again.
struct PoissonGrid {
  Axes axes{};  ///< the caller's axis for each of ours
  std::array<int, 3> size{};
  std::array<double, 3> edge{};
  std::array<bool, 3> periodic{};
  int mirrored = -1;         ///< our axis along which the mirror image lies; -1: none
  bool mirror_below = true;  ///< below the box, not above

  int open() const { return int(!periodic[0]) + int(!periodic[1]) + int(!periodic[2]); }
};

PoissonGrid make_poisson_grid(PoissonOptions const& options);

/// The Green's function for that grid.
GreenFunction make_green_function(PoissonOptions const& options, PoissonGrid const& grid);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/axes.hpp"
#include "core/poisson/green.hpp"

#include <nearfar/poisson.hpp>

namespace nearfar {

/// Throws Error{bad_input} for options that make no sense, each with what would.
void check_options(PoissonOptions const& options);

/// The grid that is solved on, by our axes: open directions first. Behind an earthed face lies a mirror image of the
/// box, which takes as many cells again.
struct PoissonGrid {
  Axes axes{};  ///< the caller's axis that each of ours is
  std::array<int, 3> size{};
  std::array<double, 3> edge{};
  std::array<bool, 3> periodic{};
  int mirrored = -1;         ///< our axis that the mirror image lies along; none: -1
  bool mirror_below = true;  ///< it lies below the box

  int open() const { return int(!periodic[0]) + int(!periodic[1]) + int(!periodic[2]); }
};

PoissonGrid make_poisson_grid(PoissonOptions const& options);

/// The Green's function of that grid.
GreenFunction make_green_function(PoissonOptions const& options, PoissonGrid const& grid);

}  // namespace nearfar

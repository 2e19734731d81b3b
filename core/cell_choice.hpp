// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cells.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// The cells of a plan, not yet cut into blocks; axes are ours. `points` is the larger number of sources and targets,
/// `clumping` as for predict_work.
Cells choose_cells(EwaldOptions const& options, EwaldParameters const& parameters, double points, double clumping);

/// Share of the cells around a target that P2P reads, in those of the box; images count.
double tested_share(Cells const& cells);

/// Pairs within a distance of evenly spread points, in those that all-round neighbours would be: the share of a ball
/// around a point that lies in an interval, for one direction where the distance is `reach` intervals.
double share_inside(double reach) noexcept;

}  // namespace nearfar

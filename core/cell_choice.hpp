// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cells.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// The cells of a plan, not yet cut into blocks; axes are ours. `points` is the larger number of sources and targets,
/// `clumping` as for predict_work.
Cells choose_cells(EwaldOptions const& options, EwaldParameters const& parameters, double points, double clumping);

/// What P2P reads around a target, in the mean of all places; images count.
struct CellsRead {
  double runs = 0;   ///< columns of cells
  double share = 0;  ///< of the cells of the box
};
CellsRead cells_read(Cells const& cells);

/// Pairs that P2P evaluates for each within the cutoff: those of a source and all targets of a tile, of which one at
/// least is near enough. `density` is the number of targets per volume.
double pairs_evaluated(Cells const& cells, double density);

/// Of the pairs within the cutoff, those that are summed for both of their points at once where the targets are the
/// sources: they are not in one tile, and without `mutual_blocks` both are in one block.
double mutual_share(Cells const& cells, double neighbours, bool mutual_blocks);

/// Pairs within a distance of evenly spread points, in those that all-round neighbours would be: the share of a ball
/// around a point that lies in an interval, for one direction where the distance is `reach` intervals.
double share_inside(double reach) noexcept;

}  // namespace nearfar

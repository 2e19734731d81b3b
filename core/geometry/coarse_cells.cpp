// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/coarse_cells.hpp"

#include "core/geometry/cell_columns.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

CoarseCells coarse_cells_of(Cells const& cells) {
  CoarseCells coarse;
  double volume = cells.skewed ? cells.volume() / (cells.edge[0] * cells.edge[1] * cells.edge[2]) : 1;
  for (int d = 0; d < 3; ++d) {
    coarse.cells[d] = cells.count[d];
    coarse.count[d] =
        std::clamp(static_cast<int>(cells.edge[d] * cells.thickness[d] / cells.cutoff), 1, cells.count[d]);
    coarse.periodic[d] = cells.periodic[d];
    volume *= cells.edge[d] / coarse.count[d];
  }
  coarse.sphere = 4 * pi<double> / 3 * std::pow(cells.cutoff, 3) / volume;
  return coarse;
}

CellColumns cell_columns_of(Cells const& cells, std::int64_t most) {
  CellColumns columns{cells, coarse_cells_of(cells)};
  int const layers = columns.coarse.count[2], blocks = cells.blocks[2];
  // A block may share its first and its last coarse cell with others.
  int const runs = std::min(layers, (layers + blocks - 1) / blocks + 1);
  columns.pieces = int(std::clamp<std::int64_t>(most / std::max(1, columns.all()), 1, runs));
  return columns;
}

}  // namespace nearfar

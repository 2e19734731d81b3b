// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/cell_columns.hpp"

#include <algorithm>

namespace nearfar {

CellColumns cell_columns_of(Cells const& cells, std::int64_t most) {
  CellColumns columns{cells, coarse_cells_of(cells)};
  int const layers = columns.coarse.count[2], blocks = cells.blocks[2];
  // A block may share its first and its last coarse cell with others.
  int const runs = std::min(layers, (layers + blocks - 1) / blocks + 1);
  columns.pieces = int(std::clamp<std::int64_t>(most / std::max(1, columns.all()), 1, runs));
  return columns;
}

}  // namespace nearfar

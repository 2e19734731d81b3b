// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/coarse_cells.hpp"

#include "core/geometry/cell_columns.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

CoarseCells::CoarseCells(Cells const& fine) {
  double volume = fine.skewed ? fine.volume() / (fine.edge[0] * fine.edge[1] * fine.edge[2]) : 1;
  for (int d = 0; d < 3; ++d) {
    cells[d] = fine.count[d];
    count[d] = std::clamp(static_cast<int>(fine.edge[d] * fine.thickness[d] / fine.cutoff), 1, fine.count[d]);
    periodic[d] = fine.periodic[d];
    volume *= fine.edge[d] / count[d];
  }
  sphere = 4 * pi<double> / 3 * std::pow(fine.cutoff, 3) / volume;
}

CellColumns::CellColumns(Cells const& all) : cells(all), coarse(all) {
  constexpr std::int64_t most = 1 << 17;
  // A block may share its first and its last coarse cell with others.
  int const runs = std::min(coarse.count[2], (coarse.count[2] + cells.blocks[2] - 1) / cells.blocks[2] + 1);
  pieces = int(std::clamp<std::int64_t>(most / std::max(1, this->all()), 1, runs));
}

}  // namespace nearfar

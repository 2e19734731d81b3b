// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/coarse_cells.hpp"

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

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/coarse_cells.hpp"

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

}  // namespace nearfar

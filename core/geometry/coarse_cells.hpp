// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cells.hpp"

#include <cstdint>

namespace nearfar {

/// The box cut into coarse cells, each at least a cutoff wide: how many sources lie within the cutoff of a point,
/// images included, is estimated from those in the 27 coarse cells around it. Accurate enough to predict how long a
/// task takes, for a small fraction of the time that counting pairs would need. Plain data.
struct CoarseCells {
  int cells[3] = {1, 1, 1};  ///< per direction
  int count[3] = {1, 1, 1};  ///< coarse ones
  bool periodic[3] = {true, true, true};
  double sphere = 0;  ///< volume of the cutoff's sphere, in coarse cells

  NEARFAR_FUNCTION int all() const { return count[0] * count[1] * count[2]; }
  /// The coarse cell that a cell is in.
  NEARFAR_FUNCTION int of(int d, int cell) const { return int(std::int64_t(cell) * count[d] / cells[d]); }
  /// The first cell of a coarse one; after the last, the number of cells.
  NEARFAR_FUNCTION int first(int d, int coarse) const {
    return int((std::int64_t(coarse) * cells[d] + count[d] - 1) / count[d]);
  }
  NEARFAR_FUNCTION int place(int x, int y, int z) const { return (x * count[1] + y) * count[2] + z; }
};

CoarseCells coarse_cells_of(Cells const& cells);

/// The mean of the number of a coarse cell and of those before and after it, as far as they exist. Along z, y and x in
/// turn, of the sources in each, that is the mean of the 27 around it.
template <class N>
NEARFAR_FUNCTION double mean_along(CoarseCells const& coarse, int d, N const* numbers, int place) {
  int const n = coarse.count[d], line = d == 2 ? 1 : coarse.count[2], step = d == 0 ? line * coarse.count[1] : line,
            at = place / step % n;
  bool const around = coarse.periodic[d] && n > 2;
  double sum = double(numbers[place]);
  int terms = 1;
  if (at > 0 || around) {
    sum += double(numbers[at > 0 ? place - step : place + (n - 1) * step]);
    ++terms;
  }
  if (at + 1 < n || around) {
    sum += double(numbers[at + 1 < n ? place + step : place - (n - 1) * step]);
    ++terms;
  }
  return sum / terms;
}

}  // namespace nearfar

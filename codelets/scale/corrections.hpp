// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/grid.hpp"

#include <cstdint>

namespace nearfar {

/// 1 / window transform squared for every mode of every transform, one array: along x and y for each padding, then
/// along z. Zero at the Nyquist modes, whose sign is not defined.
template <class T>
class Corrections {
 public:
  NEARFAR_FUNCTION Corrections(Grid const& grid, T* data) : grid_(grid), data_(data) {}

  /// The first along axis d for a padding (0 for z).
  NEARFAR_FUNCTION T* of(int d, int padding) const { return data_ + first(grid_, d, padding); }
  NEARFAR_FUNCTION static std::int64_t size(Grid const& grid) { return first(grid, 2, 0) + grid.modes_z(); }

 private:
  NEARFAR_FUNCTION static std::int64_t first(Grid const& grid, int d, int padding) {
    std::int64_t before = 0;
    for (int p = 0; p < (d < 2 ? padding : grid.paddings); ++p)
      before += grid.padding[p].size[0] + grid.padding[p].size[1];
    return before + (d == 1 ? grid.padding[padding].size[0] : 0);
  }

  Grid const& grid_;
  T* data_;
};

}  // namespace nearfar

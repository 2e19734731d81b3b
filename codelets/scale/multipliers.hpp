// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tables.hpp"
#include "core/grid.hpp"

#include <cstdint>

namespace nearfar {

/// What a solve multiplies every mode of the grid by, all but the tensor of its kernel: 8 pi w / k^2 or 4 pi ghat / k^2
/// (truncated where directions are free), over the square of the window's transform and the volume. It depends on the
/// squares of mode numbers alone: a row along x, up to half the transform, for each column with y up to half of its.
/// Zero beyond the band and at the Nyquist modes, whose sign is not defined.
template <class T>
class Multipliers {
 public:
  NEARFAR_FUNCTION Multipliers(Grid const& grid, T* data) : grid_(grid) {
    for (int s = 0; s < grid.sections(); data += section(grid, s), ++s) {
      section_[s] = data;
      length_[s] = length(grid, s);
    }
  }

  /// Those of a column, modes 0 .. half of the transform along x.
  NEARFAR_FUNCTION T* row(ModeColumn const& c) const {
    int const s = grid_.sections() > 1 ? c.padding : 0, n = grid_.padding[s].size[1];
    std::int64_t const y = c.y <= n / 2 ? c.y : n - c.y;
    return section_[s] + (y * grid_.section_width(s) + c.z - grid_.section_z(s)) * length_[s];
  }

  NEARFAR_FUNCTION static std::int64_t size(Grid const& grid) {
    std::int64_t all = 0;
    for (int s = 0; s < grid.sections(); ++s) all += section(grid, s);
    return all;
  }

 private:
  /// Where x alone is free, rows have the room of the longest: a section has columns of every padding.
  NEARFAR_FUNCTION static int length(Grid const& g, int s) {
    int longest = g.padding[s].size[0];
    for (int p = 0; g.free == 1 && p < g.paddings; ++p)
      if (g.padding[p].size[0] > longest) longest = g.padding[p].size[0];
    return longest / 2 + 1;
  }
  NEARFAR_FUNCTION static std::int64_t section(Grid const& g, int s) {
    return std::int64_t(g.padding[s].size[1] / 2 + 1) * g.section_width(s) * length(g, s);
  }

  Grid const& grid_;
  T* section_[max_paddings];
  int length_[max_paddings];
};

/// Fills all of them.
template <class T>
void fill_multipliers(Grid const& grid, EwaldTables<T> const& tables, WindowShape const& window, T* data);

}  // namespace nearfar

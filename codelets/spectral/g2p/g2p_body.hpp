// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/p2g/p2g_body.hpp"
#include "core/geometry/cells.hpp"
#include "core/geometry/point_range.hpp"

namespace nearfar {

/// The arguments of a G2P task.
struct G2PArgs {
  Grid grid;
  CyclicRange slabs;  ///< in the order of the buffers
  PointRange chunk;   ///< of the points of a block of targets
  Cells cells;
  Block block;
  bool double_positions = false;  ///< in a stage in single precision
};

/// A plane by its global number, located among the buffers of a task.
template <class T>
struct SlabView {
  T const* data = nullptr;
  int plane = 0;   ///< within the slab
  int planes = 0;  ///< of the slab
};

/// What is gathered with slopes of the window are derivatives along the rows of the cell: turns those of all
/// components, whose numbers are `stride` apart, into derivatives along the axes.
template <class Gather, class T>
NEARFAR_FUNCTION void turn_gathered([[maybe_unused]] SpectralLayout const& layout, [[maybe_unused]] T* gathered,
                                    [[maybe_unused]] std::int64_t stride) {
  if constexpr (Gather::slopes)
    for (int m = 0; m < Gather::sloped; ++m)
      layout.turn_slopes(gathered + Gather::slope(m, 0) * stride, (Gather::slope(m, 1) - Gather::slope(m, 0)) * stride);
  if constexpr (Gather::seconds) {
    T* const xx = gathered + Gather::results * stride - 6 * stride;
    constexpr int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    T rows[9];
    for (int i = 0; i < 9; ++i) rows[i] = xx[place[i / 3][i % 3] * stride];
    for (int i = 0; i < 3; ++i) layout.turn_slopes(rows + 3 * i, 1);
    for (int i = 0; i < 3; ++i) layout.turn_slopes(rows + i, 3);
    for (int i = 0; i < 9; ++i) xx[place[i / 3][i % 3] * stride] = rows[i];
  }
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/spectral/layout.hpp"

namespace nearfar {

SpectralLayout plain_layout(std::array<double, 3> const& edge, std::array<int, 3> const& size, int free,
                            std::array<int, 3> const& transform) {
  SpectralLayout layout;
  for (std::size_t d = 0; d < 3; ++d) {
    layout.edge[d] = edge[d];
    layout.size[d] = size[d];
    if (d < 2) layout.padding[0].size[d] = transform[d];
  }
  layout.rows = size[1];
  layout.row_length = size[2];
  layout.free = free;
  layout.row_padding = transform[2];
  return layout;
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/pic/cloud.hpp"
#include "core/spectral/layout.hpp"

#include <cstdint>

namespace nearfar {

/// The grid of a particle-in-cell loop, in slabs of planes along our first axis. Particles keep the caller's axes. A
/// block of them is, for the stages of this folder:
///   phase    [x y z vx vy vz][particle]
///   sorted   x, y, z, charge of each particle, by the plane of its cloud's lower cells
///   order    where each plane's particles begin in that, and their end; then the places of the sorted ones in `phase`
///   field    [x y z][particle]: E of the particles' own
struct PicGrid {
  SpectralLayout layout;
  int axes[3] = {0, 1, 2};  ///< the caller's axis for each of ours
  CloudGrid cells;

  NEARFAR_FUNCTION int planes() const { return layout.size[0]; }
  /// A cloud along our axis d.
  template <class T>
  NEARFAR_FUNCTION Cloud<T> cloud(T const* position, int d) const {
    int const axis = axes[d];
    return cloud_at(cells, axis, position[axis]);
  }
};

/// One plane of fields that are stored in slabs.
template <class T>
struct FieldPlane {
  T const* data = nullptr;
  std::int64_t component = 0;  ///< stride of components
  int row = 0;                 ///< stride of rows

  FieldPlane(Buffers const& b, int access, SpectralLayout const& l, int plane)
      : FieldPlane(b.get<T const>(access, l.slab_of(plane)), l, plane) {}
  /// `slab`: the one that contains the plane.
  NEARFAR_FUNCTION FieldPlane(T const* slab, SpectralLayout const& l, int plane)
      : data(slab + (plane - l.first_plane(l.slab_of(plane))) * l.plane_size()),
        component(l.planes(l.slab_of(plane)) * l.plane_size()), row(l.row_length) {}

  /// Component m, interpolated in the plane.
  NEARFAR_FUNCTION T at(int m, Cloud<T> const& y, Cloud<T> const& z) const {
    T const* const low = data + m * component + std::int64_t(y.low) * row;
    T const* const high = data + m * component + std::int64_t(y.high) * row;
    T const below = low[z.low] + z.weight * (low[z.high] - low[z.low]);
    T const above = high[z.low] + z.weight * (high[z.high] - high[z.low]);
    return below + y.weight * (above - below);
  }
};

}  // namespace nearfar

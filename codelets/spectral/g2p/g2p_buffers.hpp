// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/either_precision.hpp"
#include "codelets/spectral/g2p/g2p_body.hpp"
#include "codelets/spectral/tables.hpp"

namespace nearfar {

/// The buffers of a G2P task by name, the one place for their order.
template <class T>
struct G2PBuffers {
  WindowTable<T> const* window;
  Positions<T> position;
  std::int64_t stride;
  std::int32_t const* offset;  ///< of the block's cells
  T* result;                   ///< of the chunk
  std::int64_t result_stride;
  Buffers buffers;

  NEARFAR_FUNCTION G2PBuffers(Buffers const& b, G2PArgs const& args, int results)
      : window(&b.get<EwaldTables<T> const>(0)->window), position(b.get<T const>(1) + args.chunk.first),
        stride(b.size<T>(1) / 3), offset(b.get<std::int32_t const>(2)), result(b.get<T>(4)),
        result_stride(b.size<T>(4) / results), buffers(b) {
    if constexpr (std::is_same_v<T, float>)
      if (args.double_positions) position = b.get<double const>(1) + args.chunk.first, stride = b.size<double>(1) / 3;
  }

  NEARFAR_FUNCTION T const* slab_data(int place) const { return buffers.get<T const>(3, place); }

  /// The plane with this global number; `plane` may run past the end of the grid once.
  NEARFAR_FUNCTION SlabView<T> plane(G2PArgs const& args, int plane) const {
    int const p = plane < args.grid.layout.size[0] ? plane : plane - args.grid.layout.size[0];
    Cut const cut = args.grid.layout.cut();
    int const slab = cut.of(p), first = cut.first(slab);
    return {slab_data(args.slabs.place(slab)), p - first, cut.first(slab + 1) - first};
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/near/p2p/p2p_body.hpp"
#include "codelets/spectral/tables.hpp"

namespace nearfar {

/// The buffers of a P2P task by name, the one place for their order. Sources are packed for sums in precision A.
template <class T, class A = T>
struct P2PBuffers {
  EwaldTables<T> const* tables;
  T const* target;
  std::int32_t const* offset;
  std::int64_t stride;
  T* result;  ///< of the chunk, a row for each point (core/kernels/pairs/packed_source.hpp)
  Buffers buffers;

  NEARFAR_FUNCTION explicit P2PBuffers(Buffers const& b)
      : tables(b.get<EwaldTables<T> const>(0)), target(b.get<T const>(1)), offset(b.get<std::int32_t const>(2)),
        stride(b.size<T>(1) / 3), result(b.get<T>(4)), buffers(b) {}

  NEARFAR_FUNCTION SourceView<A> source(int neighbour) const {
    return {buffers.get<float const>(3, neighbour, &Neighbour::rough),
            buffers.size<float>(3, neighbour, &Neighbour::rough) / 3,
            buffers.get<A const>(3, neighbour, &Neighbour::packed),
            buffers.get<std::int32_t const>(3, neighbour, &Neighbour::offset)};
  }
};

/// Sources as bodies for CPUs see them.
template <class T, class A = T>
struct MutualView : SourceView<A> {
  T* contribution = nullptr;  ///< rows of all points of the block for what the targets contribute; null: nothing
};

}  // namespace nearfar

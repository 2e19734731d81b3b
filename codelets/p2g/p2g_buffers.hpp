// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/block_view.hpp"
#include "codelets/p2g/p2g_body.hpp"
#include "codelets/stage.hpp"
#include "codelets/tables.hpp"

namespace nearfar {

/// The buffers of a P2G task by name; one place for their order.
template <class T>
struct P2GBuffers {
  WindowTable<T> const* window;
  T* slab;
  Buffers buffers;

  NEARFAR_FUNCTION explicit P2GBuffers(Buffers const& b)
      : window(&b.get<EwaldTables<T> const>(0)->window), slab(b.get<T>(2)), buffers(b) {}

  NEARFAR_FUNCTION int blocks() const { return buffers.count(1) / 3; }

  /// A block and its number of points.
  NEARFAR_FUNCTION BlockView<T> block(int i, int& points) const {
    auto const* offset = buffers.get<std::int32_t const>(1, 3 * i + 1);
    points = offset[buffers.size<std::int32_t>(1, 3 * i + 1) - 1];
    return {buffers.get<T const>(1, 3 * i), buffers.get<T const>(1, 3 * i + 2), offset, buffers.size<T>(1, 3 * i) / 3};
  }
};

}  // namespace nearfar

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

  /// Calls visit(first, last) with the points of a block in each layer of cells along x from which windows can reach
  /// the slab: of the others not one point has to be looked at.
  template <class Visit>
  NEARFAR_FUNCTION void for_layers_beside(P2GArgs const& args, int i, Visit visit) const {
    Cells const& c = args.cells;
    int const x = args.blocks.item(i / (c.blocks[1] * c.blocks[2])), first = c.first_cell(0, x),
              layers = c.cells_in(0, x);
    auto const* offset = buffers.get<std::int32_t const>(1, 3 * i + 1);
    int const in_layer = int(buffers.size<std::int32_t>(1, 3 * i + 1) - 1) / layers;
    double const edge = c.cell_edge(0);
    for (int l = 0; l < layers; ++l) {
      CyclicRange const slabs = slabs_of(args.grid, (first + l) * edge, (first + l + 1) * edge);
      if (slabs.place(args.slab) < slabs.count) visit(offset[l * in_layer], offset[(l + 1) * in_layer]);
    }
  }
};

}  // namespace nearfar

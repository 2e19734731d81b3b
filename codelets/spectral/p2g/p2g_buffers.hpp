// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/near/block_view.hpp"
#include "codelets/spectral/p2g/p2g_body.hpp"
#include "codelets/spectral/tables.hpp"

namespace nearfar {

/// The buffers of a P2G task by name, the one place for their order.
template <class T>
struct P2GBuffers {
  WindowTable<T> const* window;
  T* slab;
  Buffers buffers;
  bool double_positions;

  NEARFAR_FUNCTION P2GBuffers(Buffers const& b, P2GArgs const& args)
      : window(&b.get<EwaldTables<T> const>(0)->window), slab(b.get<T>(2)), buffers(b),
        double_positions(args.double_positions) {}

  NEARFAR_FUNCTION int blocks() const { return buffers.items<SpreadBlock>(1); }

  /// A block and its number of points.
  NEARFAR_FUNCTION BlockView<T> block(int i, int& points) const {
    BlockView<T> const view = block(i);
    points = view.offset[buffers.size<std::int32_t>(1, i, &SpreadBlock::offset) - 1];
    return view;
  }
  /// Without reading its content, which may be on a GPU.
  NEARFAR_FUNCTION BlockView<T> block(int i) const {
    BlockView<T> view{
        buffers.get<T const>(1, i, &SpreadBlock::position), buffers.get<T const>(1, i, &SpreadBlock::strengths),
        buffers.get<std::int32_t const>(1, i, &SpreadBlock::offset), buffers.size<T>(1, i, &SpreadBlock::position) / 3};
    if constexpr (std::is_same_v<T, float>)
      if (double_positions)
        view.position = buffers.get<double const>(1, i, &SpreadBlock::position),
        view.stride = buffers.size<double>(1, i, &SpreadBlock::position) / 3;
    return view;
  }

  /// Calls visit(block, first, last) with the points of each column of cells along z whose windows
  /// can reach the slab: other points are not looked at. Columns adjacent along x are visited in
  /// succession, so that the rows of the slab that their windows share stay in a near cache.
  template <class Visit>
  NEARFAR_FUNCTION void for_columns_beside(P2GArgs const& args, Visit visit) const {
    Cells const& c = args.cells;
    for (int y = 0; y < c.blocks[1]; ++y)
      for (int row = 0, rows = c.cells_in(1, y); row < rows; ++row)
        for (int x = 0; x < args.blocks.count; ++x)
          for (int z = 0; z < c.blocks[2]; ++z) {
            int const i = (x * c.blocks[1] + y) * c.blocks[2] + z, length = c.cells_in(2, z);
            int points = 0;
            BlockView<T> const view = block(i, points);
            for_layers_beside(args, args.blocks.item(x), [&](int layer) {
              auto const* column = view.offset + (layer * rows + row) * length;
              visit(view, column[0], column[length]);
            });
          }
  }

 private:
  /// Calls visit(layer of cells along x) for the blocks number `x` along x.
  template <class Visit>
  NEARFAR_FUNCTION void for_layers_beside(P2GArgs const& args, int x, Visit visit) const {
    Cells const& c = args.cells;
    double const edge = c.cell_edge(0);
    for (int l = 0, first = c.first_cell(0, x); l < c.cells_in(0, x); ++l) {
      CyclicRange const slabs = slabs_of(args.grid, (first + l) * edge, (first + l + 1) * edge);
      if (slabs.place(args.slab) < slabs.count) visit(l);
    }
  }
};

}  // namespace nearfar

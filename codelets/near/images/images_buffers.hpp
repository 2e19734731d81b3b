// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/near/images/images_body.hpp"
#include "codelets/spectral/tables.hpp"

namespace nearfar {

/// The buffers of an Images task by name, the one place for their order.
template <class T, class A>
struct ImagesBuffers {
  EwaldTables<T> const* tables;
  T const* target;
  std::int32_t const* offset;
  std::int64_t stride;
  double* sums;
  Buffers buffers;

  explicit ImagesBuffers(Buffers const& b)
      : tables(b.get<EwaldTables<T> const>(0)), target(b.get<T const>(1)), offset(b.get<std::int32_t const>(2)),
        stride(b.size<T>(1) / 3), sums(b.get<double>(4)), buffers(b) {}

  SourceView<A> source(int neighbour) const {
    return {buffers.get<float const>(3, neighbour, &Neighbour::rough),
            buffers.size<float>(3, neighbour, &Neighbour::rough) / 3,
            buffers.get<A const>(3, neighbour, &Neighbour::packed),
            buffers.get<std::int32_t const>(3, neighbour, &Neighbour::offset)};
  }
};

/// Sources of one block, around the targets of a cell, in an image.
template <class T, class A>
struct ImageRun {
  SourceView<A> source;
  int first, last;
  T shift[3];
};

/// Calls visit(first target, last target, runs) for each cell of the chunk with images around that are summed.
template <class T, class A, class Visit>
void for_each_image_cell(ImagesBuffers<T, A> const& b, P2PArgs const& args, Visit const& visit) {
  Cells const& c = args.cells;
  std::vector<Column> columns;  // around the cells of one column along z
  std::vector<ImageRun<T, A>> runs;
  ColumnReach const reach = column_reach(c);
  for (int i = 0; i < cells_of_block(c, args.block); ++i) {
    int cell[3];
    cell_of_block(c, args.block, i, cell);
    if (cell[2] == c.first_cell(2, args.block.at[2])) {
      columns.clear();
      for_each_column(c, cell[0], cell[1], [&](Column const& column) { columns.push_back(column); });
    }
    int const first = std::max(b.offset[i], args.chunk.first), last = std::min(b.offset[i + 1], args.chunk.last);
    if (first >= last || !images_around(c, reach, cell)) continue;
    runs.clear();
    for (Column const& column : columns)
      if (may_hold_images(c, column, cell[2]))
        for_each_stretch<T>(
            args, column, cell[2] + column.low, cell[2] + column.high, cell[2], [&](int n) { return b.source(n); },
            [&](SourceView<A> const& source, int at, int, int length, T const* shift) {
              int const from = source.offset[at], to = source.offset[at + length];
              if (from < to && is_summed_image(shift))
                runs.push_back({source, from, to, {shift[0], shift[1], shift[2]}});
            });
    if (!runs.empty()) visit(first, last, runs);
  }
}

}  // namespace nearfar

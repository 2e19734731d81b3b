// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/sort_cells/sort_cells.hpp"

#include "codelets/points/sort_cells/sort_cells_buffers.hpp"
#include "core/geometry/cell_sort.hpp"

#include <algorithm>
#include <vector>

namespace nearfar {

template <class T>
void SortCells<T>::portable(Buffers const& b, Args const& args) {
  RowPieces<T const> const rows(b, 0, b.count(0), args.cut, 3);
  BlockArrays<T> const out = sorted_arrays<T>(b, args);
  auto& faults = *b.get<PointFaults>(3);
  faults = {};
  if (auto const order = given_order(b, args); order.row != nullptr) {
    std::copy_n(order.row, out.points, out.row);
    std::transform(order.offset, order.offset + out.cells + 1, out.offset, [&](auto at) { return at - args.first; });
  } else {
    faults.bad = order_by_cells({args.frame, args.points, args.cut, {0, out.cells}}, rows, out.offset, out.row);
    if (faults.bad != PointFaults::none) return;
  }
  auto const all = PieceArrays<T>::of(out, 0, out.cells, 0, out.points);
  place_piece(args.frame, all, [&](int i) { return rows.at(out.row[i]); });
  std::vector<std::int32_t> table;
  faults.twins = args.find_twins && has_twins(all, table);
}

template struct SortCells<double>;
template struct SortCells<float>;

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/sort_cells/order_cells.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace nearfar {

template <class T>
std::uint32_t order_by_cells(OrderCellsArgs const& args, RowPieces<T const> const& rows, std::int32_t* offset,
                             std::uint32_t* order) {
  Cells const& cells = args.frame.cells;
  int const all = cells.count[0] * cells.count[1] * cells.count[2];
  std::vector<int> cell(std::size_t(args.points));
  std::fill_n(offset, all + 1, 0);
  for (int i = 0; i < args.points; ++i) {
    T x[3];
    if (!place_point(args.frame, rows.at(i), x)) return std::uint32_t(i);
    int at[3];
    for (int d = 0; d < 3; ++d) at[d] = cells.cell(d, double(x[d]));
    ++offset[cell[std::size_t(i)] = cell_by_block(cells, at[0], at[1], at[2])];
  }
  std::exclusive_scan(offset, offset + all + 1, offset, 0);
  std::vector<std::int32_t> next(offset, offset + all);
  for (int i = 0; i < args.points; ++i) order[next[std::size_t(cell[std::size_t(i)])]++] = std::uint32_t(i);
  return PointFaults::none;
}

template <class T>
void OrderCells<T>::portable(Buffers const& b, Args const& args) {
  RowPieces<T const> const rows(b, 0, b.count(0), args.cut, 3);
  *b.get<PointFaults>(2) = {order_by_cells(args, rows, b.get<std::int32_t>(1, 1), b.get<std::uint32_t>(1, 0)), 0};
}

#define NEARFAR_INSTANTIATE(T)                                                                           \
  template std::uint32_t order_by_cells(OrderCellsArgs const&, RowPieces<T const> const&, std::int32_t*, \
                                        std::uint32_t*);                                                 \
  template struct OrderCells<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

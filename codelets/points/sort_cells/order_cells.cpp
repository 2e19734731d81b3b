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
  int const all = args.cells.count;
  std::vector<int> cell(std::size_t(args.points));
  auto const is_here = [all](int c) { return c >= 0 && c < all; };
  std::fill_n(offset, all + 1, 0);
  for (int i = 0; i < args.points; ++i) {
    T x[3];
    if (!place_point(args.frame, rows.at(i), x)) return std::uint32_t(i);
    int at[3];
    for (int d = 0; d < 3; ++d) at[d] = cells.cell(d, double(x[d]));
    int const c = cell[std::size_t(i)] = cell_by_block(cells, at[0], at[1], at[2]) - args.cells.first;
    if (is_here(c)) ++offset[c];
  }
  std::exclusive_scan(offset, offset + all + 1, offset, 0);
  std::vector<std::int32_t> next(offset, offset + all);
  for (int i = 0; i < args.points; ++i)
    if (int const c = cell[std::size_t(i)]; is_here(c)) order[next[std::size_t(c)]++] = std::uint32_t(i);
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

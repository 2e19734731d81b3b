// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/sort_cells/sort_cells_gpu.hpp"

namespace nearfar {

template <class T>
void OrderCells<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_order_cells<T>({args.frame,
                         {b, 0, b.count(0), args.cut, 3},
                         args.points,
                         args.cells,
                         b.get<std::int32_t>(1, 1),
                         b.get<std::uint32_t>(1, 0),
                         b.get<PointFaults>(2)},
                        stream);
}

template <class T>
void SortCells<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_sort_cells<T>({args.frame,
                        {b, 0, b.count(0), args.cut, 3},
                        given_order(b, args),
                        sorted_arrays<T>(b, args),
                        b.get<PointFaults>(3),
                        args.find_twins},
                       stream);
}

#define NEARFAR_INSTANTIATE(T)                                                    \
  template void OrderCells<T>::gpu(Buffers const&, OrderCellsArgs const&, void*); \
  template void SortCells<T>::gpu(Buffers const&, SortCellsArgs const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

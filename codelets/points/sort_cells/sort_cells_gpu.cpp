// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/sort_cells/sort_cells_gpu.hpp"

namespace nearfar {

template <class T>
void SortCells<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_sort_cells<T>(
      {args.frame, b.get<T const>(0), sorted_arrays<T>(b, args), b.get<PointFaults>(2), args.find_twins}, stream);
}

template void SortCells<double>::gpu(Buffers const&, SortCellsArgs const&, void*);
template void SortCells<float>::gpu(Buffers const&, SortCellsArgs const&, void*);

}  // namespace nearfar

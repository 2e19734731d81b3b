// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/sort/sort_gpu.hpp"

namespace nearfar {

template <class T>
void Sort<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_sort(args.grid, b.size<T>(1), b.get<T const>(0), b.get<T const>(1), b.get<T>(2), b.get<std::int32_t>(3),
              stream);
}

template void Sort<double>::gpu(Buffers const&, SortArgs const&, void*);
template void Sort<float>::gpu(Buffers const&, SortArgs const&, void*);

}  // namespace nearfar

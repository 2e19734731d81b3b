// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/scatter/scatter_gpu.hpp"

namespace nearfar {

template <class T>
void Scatter<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_in_parts<SortedBlock<T>>(
      b.count(0),
      [&](int i) {
        return SortedBlock<T>{b.get<T const>(0, i), b.get<std::int32_t const>(1, i)};
      },
      [&](auto const& blocks) { launch_scatter(ScatterBody<T>(args, b.get<T>(2), blocks), stream); });
}

template void Scatter<double>::gpu(Buffers const&, ScatterArgs const&, void*);
template void Scatter<float>::gpu(Buffers const&, ScatterArgs const&, void*);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/gather/gather_gpu.hpp"

namespace nearfar {

template <class T>
void Gather<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_gather(GatherBody<T>(b, args), stream);
}

template void Gather<double>::gpu(Buffers const&, GatherArgs const&, void*);
template void Gather<float>::gpu(Buffers const&, GatherArgs const&, void*);

}  // namespace nearfar

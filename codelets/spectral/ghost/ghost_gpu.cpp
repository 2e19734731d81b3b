// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/ghost/ghost_gpu.hpp"

namespace nearfar {

template <class T>
void PackPlanes<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_pack_planes(args, b.get<T const>(0), b.get<T>(1), stream);
}

template <class T>
void PutPlanes<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_put_planes(args, b.get<T const>(0), b.get<T>(1), stream);
}

template void PackPlanes<double>::gpu(Buffers const&, GhostArgs const&, void*);
template void PackPlanes<float>::gpu(Buffers const&, GhostArgs const&, void*);
template void PutPlanes<double>::gpu(Buffers const&, GhostArgs const&, void*);
template void PutPlanes<float>::gpu(Buffers const&, GhostArgs const&, void*);

}  // namespace nearfar

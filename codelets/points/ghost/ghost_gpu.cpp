// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/ghost/ghost_gpu.hpp"

namespace nearfar {

template <class T, class S>
void PackRows<T, S>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_pack_rows(args, b.get<T const>(0), b.get<T>(1), stream);
}

template <class T, class S>
void PutRows<T, S>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_put_rows(args, b.get<T const>(0), b.get<T>(1), stream);
}

#define NEARFAR_INSTANTIATE(T, S)                                             \
  template void PackRows<T, S>::gpu(Buffers const&, GhostArgs const&, void*); \
  template void PutRows<T, S>::gpu(Buffers const&, GhostArgs const&, void*);
NEARFAR_EACH_GHOST(NEARFAR_INSTANTIATE)

}  // namespace nearfar

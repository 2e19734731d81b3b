// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/l2p/l2p_gpu.hpp"

#include "codelets/fmm/l2p/l2p.hpp"
#include "codelets/fmm/l2p/m2p_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class T, class E>
void L2P<T, E>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_l2p<E>(L2PLaunch<T>::of(buffers, args), stream);
}

template <class T, class E>
void M2P<T, E>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  auto const launch = M2PLaunch<T>::of(buffers, args);
  launch_in_parts<T const*>(
      buffers.count(3), [&](int i) { return buffers.get<T const>(3, i); },
      [&](auto const& multipoles) { launch_m2p<E>(launch, multipoles, stream); });
}

#define NEARFAR_INSTANTIATE(T, E)                                      \
  template void L2P<T, E>::gpu(Buffers const&, L2PArgs const&, void*); \
  template void M2P<T, E>::gpu(Buffers const&, M2PArgs const&, void*);
NEARFAR_EACH_EVALUATION(NEARFAR_INSTANTIATE)

}  // namespace nearfar

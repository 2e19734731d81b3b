// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/fmm_p2p/fmm_p2p_gpu.hpp"

#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class T, class K, class A>
void FmmP2P<T, K, A>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  using Launch = FmmP2PLaunch<T>;
  Launch const launch = Launch::of(buffers, args);
  launch_in_parts<PairSources<T>>(
      buffers.items<LeafSources>(3), [&](int i) { return PairSources<T>::of(buffers, 3, i); },
      [&](auto const& sources) { launch_fmm_p2p<K, A>(launch, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T, A, K) template void FmmP2P<T, K, A>::gpu(Buffers const&, FmmP2PArgs const&, void*);
NEARFAR_EACH_LEAF_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

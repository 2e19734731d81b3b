// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/soft_p2p/soft_p2p_gpu.hpp"

#include "codelets/fmm/soft_p2p/soft_p2p.hpp"
#include "core/kernels/pairs/softened.hpp"

namespace nearfar {

template <class T, class K>
void SoftP2P<T, K>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  auto launch = FmmP2PLaunch<T>::of(buffers, args.pairs);
  launch.softening_squared = T(args.softening_squared);
  launch_in_parts<PairSources<T>>(
      buffers.items<LeafSources>(3), [&](int i) { return PairSources<T>::of(buffers, 3, i); },
      [&](auto const& sources) { launch_soft_p2p<K>(launch, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T, K) template void SoftP2P<T, K>::gpu(Buffers const&, SoftP2PArgs const&, void*);
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar

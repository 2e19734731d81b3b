// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/l2p/l2p_simd.hpp"

#include "codelets/common/lanes_simd.hpp"
#include "codelets/fmm/l2p/l2p_body.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class Tag, class T, class K>
void l2p_simd(Buffers const& buffers, L2PArgs const& args) {
  Evaluation<Batch<T, Tag>, K, false> work(args.order);
  l2p<Batch<T, Tag>, K, T>(buffers, args, work);
}

template <class Tag, class T, class K>
void m2p_simd(Buffers const& buffers, M2PArgs const& args) {
  Evaluation<Batch<T, Tag>, K, true> work(args.order);
  m2p<Batch<T, Tag>, K, T>(buffers, args, work);
}

#define NEARFAR_INSTANTIATE(T, K)                                                 \
  template void l2p_simd<NEARFAR_SIMD_TAG, T, K>(Buffers const&, L2PArgs const&); \
  template void m2p_simd<NEARFAR_SIMD_TAG, T, K>(Buffers const&, M2PArgs const&);
NEARFAR_EACH_MULTIPOLE_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar

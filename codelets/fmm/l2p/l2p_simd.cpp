// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/l2p/l2p_simd.hpp"

#include "codelets/common/simd/lanes_simd.hpp"
#include "codelets/fmm/l2p/l2p_body.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class Tag, class T, class E>
void l2p_simd(Buffers const& buffers, L2PArgs const& args) {
  Evaluation<Batch<T, Tag>, E, false> work(args.order);
  l2p<Batch<T, Tag>, E, T>(buffers, args, work);
}

template <class Tag, class T, class E>
void m2p_simd(Buffers const& buffers, M2PArgs const& args) {
  Evaluation<Batch<T, Tag>, E, true> work(args.order);
  m2p<Batch<T, Tag>, E, T>(buffers, args, work);
}

#define NEARFAR_INSTANTIATE(T, E)                                                 \
  template void l2p_simd<NEARFAR_SIMD_TAG, T, E>(Buffers const&, L2PArgs const&); \
  template void m2p_simd<NEARFAR_SIMD_TAG, T, E>(Buffers const&, M2PArgs const&);
NEARFAR_EACH_EVALUATION(NEARFAR_INSTANTIATE)

}  // namespace nearfar

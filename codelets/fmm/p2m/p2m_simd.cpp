// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/p2m/p2m_simd.hpp"

#include "codelets/common/lanes_simd.hpp"
#include "codelets/fmm/p2m/p2m_body.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

template <class Tag, class T, Kernel K>
void p2m_simd(Buffers const& buffers, P2MArgs const& args) {
  Moments<Batch<T, Tag>, K, false> moments(args.order, T(args.half));
  p2m<Batch<T, Tag>, K, T>(buffers, args, moments);
}

template <class Tag, class T, Kernel K>
void p2l_simd(Buffers const& buffers, P2LArgs const& args) {
  Moments<Batch<T, Tag>, K, true> moments(args.order, T(args.half));
  p2l<Batch<T, Tag>, K, T>(buffers, args, moments);
}

#define NEARFAR_INSTANTIATE(T, K)                                                 \
  template void p2m_simd<NEARFAR_SIMD_TAG, T, K>(Buffers const&, P2MArgs const&); \
  template void p2l_simd<NEARFAR_SIMD_TAG, T, K>(Buffers const&, P2LArgs const&);
NEARFAR_EACH_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar

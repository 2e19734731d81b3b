// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/p2m/p2m_simd.hpp"

#include "codelets/common/simd/lanes_simd.hpp"
#include "codelets/fmm/p2m/p2m_body.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class Tag, class T, class Sums>
void p2m_simd(Buffers const& buffers, P2MArgs const& args) {
  Moments<Batch<T, Tag>, Sums, false> moments(args.order, T(args.half));
  p2m<Batch<T, Tag>, Sums, T>(buffers, args, moments);
}

template <class Tag, class T, class Sums>
void p2l_simd(Buffers const& buffers, P2LArgs const& args) {
  Moments<Batch<T, Tag>, Sums, true> moments(args.order, T(args.half));
  p2l<Batch<T, Tag>, Sums, T>(buffers, args, moments);
}

#define NEARFAR_INSTANTIATE(T, Sums)                                                 \
  template void p2m_simd<NEARFAR_SIMD_TAG, T, Sums>(Buffers const&, P2MArgs const&); \
  template void p2l_simd<NEARFAR_SIMD_TAG, T, Sums>(Buffers const&, P2LArgs const&);
NEARFAR_EACH_SUMS(NEARFAR_INSTANTIATE)

}  // namespace nearfar

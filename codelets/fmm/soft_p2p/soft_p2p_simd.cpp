// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/simd/lanes_simd.hpp"
#include "codelets/fmm/soft_p2p/soft_p2p_body.hpp"

namespace nearfar {

template <class Tag, class T, class K>
void soft_p2p_simd(FmmP2PBuffers<T> const& b, SoftP2PArgs const& args) {
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size);
  for (int i = 0; i < b.table.targets(); ++i)
    for (int first = b.leaf[i].first, end = b.leaf[i].last; first < end; first += lanes)
      soft_sums<V, K>(b, args, i, first, first + lanes < end ? first + lanes : end);
}

#define NEARFAR_INSTANTIATE(T, K) \
  template void soft_p2p_simd<NEARFAR_SIMD_TAG, T, K>(FmmP2PBuffers<T> const&, SoftP2PArgs const&);
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar

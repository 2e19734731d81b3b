// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm_p2p/fmm_p2p_simd.hpp"

#include "codelets/lanes_simd.hpp"

namespace nearfar {

template <class Tag, class T, Kernel K, bool G>
void fmm_p2p_simd(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args) {
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size);
  for (int i = 0; i < b.table.targets(); ++i)
    for (int first = b.leaf[i].first; first < b.leaf[i].last;) {
      int const last = b.leaf[i].last;
      if (last - first > lanes) {
        pair_sums<V, 2, K, G>(b, args, i, first, last < first + 2 * lanes ? last : first + 2 * lanes);
        first += 2 * lanes;
      } else {
        pair_sums<V, 1, K, G>(b, args, i, first, last);
        first = last;
      }
    }
}

#define NEARFAR_INSTANTIATE_KERNEL(T, K, G) \
  template void fmm_p2p_simd<NEARFAR_SIMD_TAG, T, K, G>(FmmP2PBuffers<T> const&, FmmP2PArgs const&);
#define NEARFAR_INSTANTIATE(T)                            \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::laplace, false)   \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::laplace, true)    \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stokeslet, false) \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stresslet, false) \
  NEARFAR_INSTANTIATE_KERNEL(T, Kernel::stokes, false)
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

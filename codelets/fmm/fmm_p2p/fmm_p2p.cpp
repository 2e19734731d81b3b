// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_simd.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

template <class T, Kernel K, bool G>
char const* FmmP2P<T, K, G>::symbol() {
  static std::string const s = model_symbol<T>("fmm_p2p", K, G);
  return s.c_str();
}

template <class T, Kernel K, bool G>
void FmmP2P<T, K, G>::portable(Buffers const& buffers, Args const& args) {
  FmmP2PBuffers<T> const b(buffers);
  portable_for(b.table.targets(), [&](int i) {
    for (int t = b.leaf[i].first; t < b.leaf[i].last; ++t)
      pair_sums<T, 1, K, G>(b, args, i, t, t + 1, false, [](PointRun const& run) { return run; });
  });
}

template <class T, Kernel K, bool G>
void FmmP2P<T, K, G>::tuned(Buffers const& buffers, Args const& args) {
  FmmP2PBuffers<T> const b(buffers);
  simd_dispatch([&](auto tag) { fmm_p2p_simd<decltype(tag), T, K, G>(b, args); });
}

#define NEARFAR_INSTANTIATE(T, K, G) template struct FmmP2P<T, K, G>;
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

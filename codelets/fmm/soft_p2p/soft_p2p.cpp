// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/soft_p2p/soft_p2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/fmm/soft_p2p/soft_p2p_body.hpp"

namespace nearfar {

template <class T, class K>
char const* SoftP2P<T, K>::symbol() {
  static std::string const s = model_symbol<T>("soft_p2p", K::symbol);
  return s.c_str();
}

template <class T, class K>
void SoftP2P<T, K>::portable(Buffers const& buffers, Args const& args) {
  FmmP2PBuffers<T> const b(buffers);
  portable_for(b.table.targets(), [&](int i) {
    for (int t = b.leaf[i].first; t < b.leaf[i].last; ++t) soft_sums<T, K>(b, args, i, t, t + 1);
  });
}

template <class T, class K>
void SoftP2P<T, K>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { soft_p2p_simd<decltype(tag), T, K>(FmmP2PBuffers<T>(buffers), args); });
}

#define NEARFAR_INSTANTIATE(T, K) template struct SoftP2P<T, K>;
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar

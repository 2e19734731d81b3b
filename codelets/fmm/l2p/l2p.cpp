// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/l2p/l2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd.hpp"
#include "codelets/fmm/l2p/l2p_body.hpp"
#include "codelets/fmm/l2p/l2p_simd.hpp"
#include "core/kernels/instantiate.hpp"

#include <memory>

namespace nearfar {

template <class T, Kernel K, bool G>
char const* L2P<T, K, G>::symbol() {
  static std::string const s = model_symbol<T>("l2p", K, G);
  return s.c_str();
}
template <class T, Kernel K, bool G>
void L2P<T, K, G>::portable(Buffers const& buffers, Args const& args) {
  portable_parts([&](LoopPart part) {
    auto const work = std::make_unique<Evaluation<T, K, G, false>>(args.order);
    l2p<T, K, G, T>(buffers, args, *work, part.index, part.count);
  });
}
template <class T, Kernel K, bool G>
void L2P<T, K, G>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { l2p_simd<decltype(tag), T, K, G>(buffers, args); });
}

template <class T, Kernel K, bool G>
char const* M2P<T, K, G>::symbol() {
  static std::string const s = model_symbol<T>("m2p", K, G);
  return s.c_str();
}
template <class T, Kernel K, bool G>
void M2P<T, K, G>::portable(Buffers const& buffers, Args const& args) {
  clear<T>(buffers, 4);
  portable_parts([&](LoopPart part) {
    auto const work = std::make_unique<Evaluation<T, K, G, true>>(args.order);
    add_far_boxes<T, K, G, T>(buffers, args, *work, part.index, part.count);
  });
}
template <class T, Kernel K, bool G>
void M2P<T, K, G>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { m2p_simd<decltype(tag), T, K, G>(buffers, args); });
}

#define NEARFAR_INSTANTIATE(T, K, G) \
  template struct L2P<T, K, G>;      \
  template struct M2P<T, K, G>;
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/l2p/l2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd.hpp"
#include "codelets/fmm/l2p/l2p_body.hpp"
#include "codelets/fmm/l2p/l2p_simd.hpp"
#include "core/kernels/kernels.hpp"

#include <memory>

namespace nearfar {

template <class T, class K>
char const* L2P<T, K>::symbol() {
  static std::string const s = model_symbol<T>("l2p", K::symbol);
  return s.c_str();
}
template <class T, class K>
void L2P<T, K>::portable(Buffers const& buffers, Args const& args) {
  portable_parts([&](LoopPart part) {
    auto const work = std::make_unique<Evaluation<T, K, false>>(args.order);
    l2p<T, K, T>(buffers, args, *work, part.index, part.count);
  });
}
template <class T, class K>
void L2P<T, K>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { l2p_simd<decltype(tag), T, K>(buffers, args); });
}

template <class T, class K>
char const* M2P<T, K>::symbol() {
  static std::string const s = model_symbol<T>("m2p", K::symbol);
  return s.c_str();
}
template <class T, class K>
void M2P<T, K>::portable(Buffers const& buffers, Args const& args) {
  clear<T>(buffers, 4);
  portable_parts([&](LoopPart part) {
    auto const work = std::make_unique<Evaluation<T, K, true>>(args.order);
    add_far_boxes<T, K, T>(buffers, args, *work, part.index, part.count);
  });
}
template <class T, class K>
void M2P<T, K>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { m2p_simd<decltype(tag), T, K>(buffers, args); });
}

#define NEARFAR_INSTANTIATE(T, K) \
  template struct L2P<T, K>;      \
  template struct M2P<T, K>;
NEARFAR_EACH_MULTIPOLE_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar

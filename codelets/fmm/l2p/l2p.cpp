// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/l2p/l2p.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/fmm/l2p/l2p_body.hpp"
#include "codelets/fmm/l2p/l2p_simd.hpp"
#include "core/kernels/kernels.hpp"

#include <memory>

namespace nearfar {

template <class T, class E>
void L2P<T, E>::portable(Buffers const& buffers, Args const& args) {
  portable_parts([&](LoopPart part) {
    auto const work = std::make_unique<Evaluation<T, E, false>>(args.order);
    l2p<T, E, T>(buffers, args, *work, part.index, part.count);
  });
}
template <class T, class E>
void L2P<T, E>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { l2p_simd<decltype(tag), T, E>(buffers, args); });
}

template <class T, class E>
void M2P<T, E>::portable(Buffers const& buffers, Args const& args) {
  clear<T>(buffers, 4);
  portable_parts([&](LoopPart part) {
    auto const work = std::make_unique<Evaluation<T, E, true>>(args.order);
    add_far_boxes<T, E, T>(buffers, args, *work, part.index, part.count);
  });
}
template <class T, class E>
void M2P<T, E>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { m2p_simd<decltype(tag), T, E>(buffers, args); });
}

#define NEARFAR_INSTANTIATE(T, E) \
  template struct L2P<T, E>;      \
  template struct M2P<T, E>;
NEARFAR_EACH_EVALUATION(NEARFAR_INSTANTIATE)

}  // namespace nearfar

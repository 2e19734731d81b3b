// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/p2m/p2m.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/fmm/p2m/p2m_body.hpp"
#include "codelets/fmm/p2m/p2m_simd.hpp"
#include "core/kernels/kernels.hpp"

#include <memory>

namespace nearfar {

template <class T, class Sums>
void P2M<T, Sums>::portable(Buffers const& buffers, Args const& args) {
  clear<T>(buffers, 3);
  portable_parts([&](LoopPart part) {
    auto const moments = std::make_unique<Moments<T, Sums, false>>(args.order, T(args.half));
    add_multipoles<T, Sums, T>(buffers, args, *moments, part.index, part.count);
  });
}
template <class T, class Sums>
void P2M<T, Sums>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { p2m_simd<decltype(tag), T, Sums>(buffers, args); });
}

template <class T, class Sums>
void P2L<T, Sums>::portable(Buffers const& buffers, Args const& args) {
  portable_parts([&](LoopPart part) {
    auto const moments = std::make_unique<Moments<T, Sums, true>>(args.order, T(args.half));
    p2l<T, Sums, T>(buffers, args, *moments, part.index, part.count);
  });
}
template <class T, class Sums>
void P2L<T, Sums>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { p2l_simd<decltype(tag), T, Sums>(buffers, args); });
}

#define NEARFAR_INSTANTIATE(T, Sums) \
  template struct P2M<T, Sums>;      \
  template struct P2L<T, Sums>;
NEARFAR_EACH_SUMS(NEARFAR_INSTANTIATE)

}  // namespace nearfar

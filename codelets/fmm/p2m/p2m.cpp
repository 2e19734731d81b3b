// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/p2m/p2m.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd.hpp"
#include "codelets/fmm/p2m/p2m_body.hpp"
#include "codelets/fmm/p2m/p2m_simd.hpp"
#include "core/kernels/instantiate.hpp"

#include <memory>

namespace nearfar {

template <class T, Kernel K>
char const* P2M<T, K>::symbol() {
  static std::string const s = model_symbol<T>("p2m", K, false);
  return s.c_str();
}
template <class T, Kernel K>
void P2M<T, K>::portable(Buffers const& buffers, Args const& args) {
  clear<T>(buffers, 3);
  portable_parts([&](LoopPart part) {
    auto const moments = std::make_unique<Moments<T, K, false>>(args.order, T(args.half));
    add_multipoles<T, K, T>(buffers, args, *moments, part.index, part.count);
  });
}
template <class T, Kernel K>
void P2M<T, K>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { p2m_simd<decltype(tag), T, K>(buffers, args); });
}

template <class T, Kernel K>
char const* P2L<T, K>::symbol() {
  static std::string const s = model_symbol<T>("p2l", K, false);
  return s.c_str();
}
template <class T, Kernel K>
void P2L<T, K>::portable(Buffers const& buffers, Args const& args) {
  portable_parts([&](LoopPart part) {
    auto const moments = std::make_unique<Moments<T, K, true>>(args.order, T(args.half));
    p2l<T, K, T>(buffers, args, *moments, part.index, part.count);
  });
}
template <class T, Kernel K>
void P2L<T, K>::tuned(Buffers const& buffers, Args const& args) {
  simd_dispatch([&](auto tag) { p2l_simd<decltype(tag), T, K>(buffers, args); });
}

#define NEARFAR_INSTANTIATE(T, K) \
  template struct P2M<T, K>;      \
  template struct P2L<T, K>;
NEARFAR_EACH_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar

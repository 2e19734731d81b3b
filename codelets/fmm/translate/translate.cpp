// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/translate/translate.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/fmm/translate/translate_simd.hpp"

#include <algorithm>
#include <memory>

namespace nearfar {

namespace {

/// A box receives contributions of many runs, so threads divide the boxes, not the runs: no two threads add to one box.
template <class T>
void translate_portable(TranslateBuffers<T> const& b, Shift shift) {
  portable_parts([&](LoopPart part) {
    auto const work = std::make_unique<AxialShift<T, 1>>(shift, b.order);
    for (int i = 0; i < b.table.runs(); ++i) {
      Run const& run = b.table.run(i);
      AxialOperator<T> const op = b.axial(shift, run.key);
      for (int k = run.first; k < run.first + run.count; ++k)
        if (part.has(b.table.interaction(k).target)) shift_interaction(b, k, *work, op);
    }
  });
}

template <class T>
void translate_tuned(TranslateBuffers<T> const& b, Shift shift) {
  simd_dispatch([&](auto tag) { translate_simd<decltype(tag)>(b, shift); });
}

template <class T>
void clear(TranslateBuffers<T> const& b) {
  std::fill_n(b.target, b.target_size, T(0));
}

}  // namespace

template <class T>
void M2M<T>::portable(Buffers const& buffers, Args const& args) {
  TranslateBuffers<T> const b(buffers, args.order, args.rhs);
  clear(b);
  translate_portable(b, Shift::m2m);
}
template <class T>
void M2M<T>::tuned(Buffers const& buffers, Args const& args) {
  TranslateBuffers<T> const b(buffers, args.order, args.rhs);
  clear(b);
  translate_tuned(b, Shift::m2m);
}

template <class T>
void M2L<T>::portable(Buffers const& buffers, Args const& args) {
  TranslateBuffers<T> const b(buffers, args.order, args.rhs);
  clear(b);
  translate_portable(b, Shift::m2l);
}
template <class T>
void M2L<T>::tuned(Buffers const& buffers, Args const& args) {
  TranslateBuffers<T> const b(buffers, args.order, args.rhs);
  clear(b);
  translate_tuned(b, Shift::m2l);
}

template <class T>
void L2L<T>::portable(Buffers const& buffers, Args const& args) {
  translate_portable(TranslateBuffers<T>(buffers, args.order, args.rhs), Shift::l2l);
}
template <class T>
void L2L<T>::tuned(Buffers const& buffers, Args const& args) {
  translate_tuned(TranslateBuffers<T>(buffers, args.order, args.rhs), Shift::l2l);
}

#define NEARFAR_INSTANTIATE(T) \
  template struct M2M<T>;      \
  template struct M2L<T>;      \
  template struct L2L<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

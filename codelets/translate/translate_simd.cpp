// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/translate/translate_simd.hpp"

#include "codelets/lanes_simd.hpp"

namespace nearfar {

/// Run by run: two batches of boxes at a time, so that each entry of an operator is loaded half as often; the rest of a
/// run in one batch where that is enough.
template <class Tag, Shift shift, class T>
void translate_simd(TranslateBuffers<T> const& b) {
  using V = Batch<T, Tag>;
  AxialShift<shift, V, 2> wide(b.order);
  AxialShift<shift, V, 1> narrow(b.order);
  for (int i = 0; i < b.table.runs(); ++i) {
    Run const& run = b.table.run(i);
    AxialOperator<T> const op = b.axial(shift, run.key);
    LinkCursor<T> cursor(b, run);
    while (cursor.left > int(V::size)) cursor.shift_next(wide, op);
    if (cursor.left > 0) cursor.shift_next(narrow, op);
  }
}

#define NEARFAR_INSTANTIATE(T)                                                            \
  template void translate_simd<NEARFAR_SIMD_TAG, Shift::m2m>(TranslateBuffers<T> const&); \
  template void translate_simd<NEARFAR_SIMD_TAG, Shift::m2l>(TranslateBuffers<T> const&); \
  template void translate_simd<NEARFAR_SIMD_TAG, Shift::l2l>(TranslateBuffers<T> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

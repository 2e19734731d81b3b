// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/translate/translate_simd.hpp"

#include "codelets/common/simd/lanes_simd.hpp"
#include "codelets/fmm/translate/parent_pair_shift.hpp"

namespace nearfar {

/// Run by run: two batches of boxes at a time, so that each entry of an operator is loaded half as often; what remains
/// of a run goes in a single batch if it fits.
template <class Tag, class T>
void translate_simd(TranslateBuffers<T> const& b, Shift shift) {
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size);
  AxialShift<V, 2> wide(shift, b.order);
  AxialShift<V, 1> narrow(shift, b.order);
  if (b.table.parent_pair_runs() > 0) {
    ParentPairShift<V, 2> two(wide, b);
    ParentPairShift<V, 1> one(narrow, b);
    for (int i = 0; i < b.table.parent_pair_runs(); ++i) {
      ParentPairRun const& run = b.table.parent_pair_run(i);
      int done = 0, count = run.count * b.rhs;
      for (; count - done > lanes; done += two.boxes) two.run(run, done);
      if (count > done) one.run(run, done);
    }
  }
  for (int i = 0; i < b.table.runs(); ++i) {
    Run const run = b.table.loose(i);
    AxialOperator<T> const op = b.axial(shift, run.key);
    InteractionCursor<T> cursor(b, run);
    while (cursor.left > lanes) cursor.shift_next(wide, op);
    if (cursor.left > 0) cursor.shift_next(narrow, op);
  }
}

template void translate_simd<NEARFAR_SIMD_TAG>(TranslateBuffers<double> const&, Shift);
template void translate_simd<NEARFAR_SIMD_TAG>(TranslateBuffers<float> const&, Shift);

}  // namespace nearfar

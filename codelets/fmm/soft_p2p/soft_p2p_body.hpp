// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_body.hpp"
#include "codelets/fmm/soft_p2p/soft_p2p.hpp"
#include "core/kernels/pairs/softened.hpp"

namespace nearfar {

/// Sums at the targets first .. last of leaf i, no more than V has lanes.
template <class V, class K, class T>
NEARFAR_FUNCTION void soft_sums(FmmP2PBuffers<T> const& b, SoftP2PArgs const& args, int i, int first, int last) {
  using L = Lanes<V>;
  Range const& range = b.table.range(i);
  V const softening_squared(T(args.softening_squared));
  V x[3];
  for (int d = 0; d < 3; ++d) x[d] = L::load_first(b.target + d * b.stride + first, last - first);
  for (int c = 0; c < args.pairs.vectors; ++c) {
    V sum[K::results];
    for (V& number : sum) number = V(T(0));
    for (int k = range.first; k < range.first + range.count; ++k) {
      PointRun const& run = b.table.item(k);
      RunSources<T> const from(b, args.pairs, run);
      T const* const strength = from.strength + c * K::strengths * from.stride;
      for (int j = run.first; j < run.last; ++j) {
        V r[3], q[K::strengths];
        for (int d = 0; d < 3; ++d) r[d] = x[d] - V(from.position[d * from.stride + j]);
        for (int m = 0; m < K::strengths; ++m) q[m] = V(strength[m * from.stride + j]);
        V const inverse = L::inverse_root(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        K::Bare::add(softened<L>(inverse, softening_squared), r[0], r[1], r[2], q, sum);
      }
    }
    T* const result = b.result + c * K::results * b.stride + first;
    for (int m = 0; m < K::results; ++m) L::store_first(result + m * b.stride, sum[m], last - first);
  }
}

/// soft_sums of all leaves, compiled once per instruction set (Tag of codelets/common/simd/simd.hpp).
template <class Tag, class T, class K>
void soft_p2p_simd(FmmP2PBuffers<T> const& buffers, SoftP2PArgs const& args);

}  // namespace nearfar

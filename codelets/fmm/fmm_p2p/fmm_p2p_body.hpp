// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/fmm_p2p/pair_sum.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// The buffers of a task.
template <class T>
struct FmmP2PBuffers {
  Leaf const* leaf;
  PairTable<PointRun> table;
  T const* target;
  std::int64_t stride;
  T* result;
  Buffers buffers;

  NEARFAR_FUNCTION explicit FmmP2PBuffers(Buffers const& b)
      : leaf(b.get<Leaf const>(0)), table(b.get<std::int32_t const>(1)), target(b.get<T const>(2)),
        stride(b.size<T>(2) / 3), result(b.get<T>(4)), buffers(b) {}
};

/// The strengths of a run of sources, and their positions and stride.
template <class T>
struct RunSources {
  T const* position;
  T const* strength;
  std::int64_t stride;
  T shift[3];  ///< of the image

  NEARFAR_FUNCTION RunSources(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, PointRun const& run)
      : position(b.buffers.template get<T const>(3, run.buffer, &LeafSources::position)),
        strength(b.buffers.template get<T const>(3, run.buffer, &LeafSources::strengths)),
        stride(b.buffers.template size<T>(3, run.buffer, &LeafSources::position) / 3) {
    for (int d = 0; d < 3; ++d) shift[d] = T(run.image[d] * (args.edge * args.aspect[d]));
  }
};

/// Sums at the targets first .. last of leaf i. `clip(run)` returns which sources of a
/// run (first .. last) are summed; with `more` they are added to the existing results. `inverse` as in PairSum.
template <class V, int Vectors, class K, class T, class Clip, class Inverse = InverseDistance<Lanes<V>>>
NEARFAR_FUNCTION void pair_sums(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i, int first, int last,
                                bool more, Clip const& clip, Inverse const& inverse = {}) {
  using Sum = PairSum<V, Vectors, K>;
  Range const& range = b.table.range(i);
  for (int c = 0; c < args.vectors; ++c) {
    T* const result = b.result + c * K::results * b.stride;
    Sum sum;
    sum.begin(b.target, b.stride, first, last);
    if (more) sum.resume(result, b.stride, first, last);
    for (int k = range.first; k < range.first + range.count; ++k) {
      PointRun const run = clip(b.table.item(k));
      if (run.first >= run.last) continue;
      RunSources<T> const from(b, args, run);
      sum.add(from.position, from.strength + c * K::strengths * from.stride, from.stride, run.first, run.last,
              from.shift, inverse);
    }
    sum.put(result, b.stride, first, last);
  }
}

}  // namespace nearfar

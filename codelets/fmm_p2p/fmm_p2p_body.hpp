// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm_args.hpp"
#include "codelets/fmm_p2p/pair_sum.hpp"
#include "codelets/stage.hpp"
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

/// Targets first .. last of leaf i.
template <class V, int Vectors, Kernel K, bool G, class T>
NEARFAR_FUNCTION void pair_sums(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i, int first, int last) {
  using Sum = PairSum<V, Vectors, K, G>;
  Range const& range = b.table.range(i);
  double const edge[3] = {args.edge * args.aspect[0], args.edge * args.aspect[1], args.edge * args.aspect[2]};
  for (int c = 0; c < args.vectors; ++c) {
    Sum sum;
    sum.begin(b.target, b.stride, first, last);
    for (int k = range.first; k < range.first + range.count; ++k) {
      PointRun const& run = b.table.item(k);
      T const* const position = b.buffers.template get<T const>(3, 2 * run.buffer);
      T const* const strength = b.buffers.template get<T const>(3, 2 * run.buffer + 1);
      std::int64_t const stride = b.buffers.template size<T>(3, 2 * run.buffer) / 3;
      T const shift[3] = {T(run.image[0] * edge[0]), T(run.image[1] * edge[1]), T(run.image[2] * edge[2])};
      sum.add(position, strength + c * Sum::Pair::strengths * stride, stride, run.first, run.last, shift);
    }
    sum.put(b.result + c * Sum::Pair::results * b.stride, b.stride, first, last);
  }
}

}  // namespace nearfar

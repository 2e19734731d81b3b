// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/p2m/moments.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// Adds the multipoles of the leaves first, first + step, ... of a block.
template <class V, class Sums, class T>
NEARFAR_FUNCTION void add_multipoles(Buffers const& b, P2MArgs const& args, Moments<V, Sums, false>& moments,
                                     std::int64_t first, int step) {
  auto const* leaf = b.get<Leaf const>(0);
  auto const* position = b.get<T const>(1);
  auto const* strength = b.get<T const>(2);
  auto* out = b.get<T>(3);
  std::int64_t const stride = b.size<T>(1) / 3, leaves = b.size<Leaf>(0);
  int const expansion = expansion_stride<T>(args.order);
  for (std::int64_t i = first; i < leaves; i += step) {
    if (leaf[i].first == leaf[i].last) continue;
    T centre[3];
    box_centre(args.corner, args.half, args.aspect, leaf[i].at, centre);
    for (int v = 0; v < args.vectors; ++v) {
      moments.begin(centre);
      moments.add({position, strength + v * Sums::strengths * stride, stride, leaf[i].first, leaf[i].last});
      moments.finish(out + (i * args.vectors + v) * Sums::rhs * expansion, expansion);
    }
  }
}

/// Fills a buffer with zeros.
template <class T>
NEARFAR_FUNCTION void clear(Buffers const& b, int access) {
  auto* out = b.get<T>(access);
  for (std::int64_t i = 0, size = b.size<T>(access); i < size; ++i) out[i] = T(0);
}

/// Multipoles of all leaves of a block.
template <class V, class Sums, class T>
NEARFAR_FUNCTION void p2m(Buffers const& b, P2MArgs const& args, Moments<V, Sums, false>& moments) {
  clear<T>(b, 3);
  add_multipoles<V, Sums, T>(b, args, moments, 0, 1);
}

/// Locals of the boxes first, first + step, ... of a block that have lists.
template <class V, class Sums, class T>
NEARFAR_FUNCTION void p2l(Buffers const& b, P2LArgs const& args, Moments<V, Sums, true>& moments, int first = 0,
                          int step = 1) {
  auto const* box = b.get<Leaf const>(0);
  PairTable<PointRun> const table(b.get<std::int32_t const>(1));
  double const edge[3] = {args.edge * args.aspect[0], args.edge * args.aspect[1], args.edge * args.aspect[2]};
  auto* out = b.get<T>(3);
  int const expansion = expansion_stride<T>(args.order);
  for (int i = first; i < table.targets(); i += step) {
    Range const& range = table.range(i);
    if (range.count == 0) continue;
    T centre[3];
    box_centre(args.corner, args.half, args.aspect, box[i].at, centre);
    for (int v = 0; v < args.vectors; ++v) {
      moments.begin(centre);
      for (int k = range.first; k < range.first + range.count; ++k) {
        PointRun const& run = table.item(k);
        std::int64_t const stride = b.size<T>(2, run.buffer, &LeafSources::position) / 3;
        moments.add({b.get<T const>(2, run.buffer, &LeafSources::position),
                     b.get<T const>(2, run.buffer, &LeafSources::strengths) + v * Sums::strengths * stride,
                     stride,
                     run.first,
                     run.last,
                     {T(run.image[0] * edge[0]), T(run.image[1] * edge[1]), T(run.image[2] * edge[2])}});
      }
      moments.finish(out + (std::int64_t(i) * args.vectors + v) * Sums::rhs * expansion, expansion);
    }
  }
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/l2p/evaluation.hpp"
#include "codelets/fmm/p2m/p2m_body.hpp"

namespace nearfar {

/// Evaluates the locals of the leaves first, first + step, ... of a block.
template <class V, class E, class T>
NEARFAR_FUNCTION void l2p(Buffers const& b, L2PArgs const& args, Evaluation<V, E, false>& work, int first = 0,
                          int step = 1) {
  auto const* leaf = b.get<Leaf const>(0);
  auto const* position = b.get<T const>(1);
  auto const* local = b.get<T const>(2);
  auto* result = b.get<T>(3);
  std::int64_t const stride = b.size<T>(1) / 3, leaves = b.size<Leaf>(0);
  int const expansion = expansion_stride<T>(args.order), row = row_of_results<T>(b, 1, 3, args.vectors);
  for (std::int64_t i = first; i < leaves; i += step) {
    if (leaf[i].first == leaf[i].last) continue;
    T centre[3];
    box_centre(args.corner, args.half, args.aspect, leaf[i].at, centre);
    for (int v = 0; v < args.vectors; ++v) {
      work.begin(centre, T(args.half), local + (i * args.vectors + v) * E::rhs * expansion, expansion);
      work.template evaluate<false>({position, result + v * row * stride, stride, leaf[i].first, leaf[i].last}, row);
    }
  }
}

/// Adds multipoles of smaller boxes at the points of the leaves first, first + step, ... of a block.
template <class V, class E, class T>
NEARFAR_FUNCTION void add_far_boxes(Buffers const& b, M2PArgs const& args, Evaluation<V, E, true>& work, int first,
                                    int step) {
  auto const* leaf = b.get<Leaf const>(0);
  PairTable<FarBox> const table(b.get<std::int32_t const>(1));
  auto const* position = b.get<T const>(2);
  auto* result = b.get<T>(4);
  std::int64_t const stride = b.size<T>(2) / 3;
  int const expansion = expansion_stride<T>(args.order), row = row_of_results<T>(b, 2, 4, args.vectors);
  for (int i = first; i < table.targets(); i += step) {
    Range const& range = table.range(i);
    if (leaf[i].first == leaf[i].last) continue;
    for (int k = range.first; k < range.first + range.count; ++k) {
      FarBox const& box = table.item(k);
      double half = -args.corner;
      for (int l = 0; l < box.level; ++l) half *= 0.5;
      T centre[3];
      box_centre(args.corner, half, args.aspect, box.at, centre);
      auto const* multipole =
          b.get<T const>(3, box.buffer) + std::int64_t(box.local) * args.vectors * E::rhs * expansion;
      for (int v = 0; v < args.vectors; ++v) {
        work.begin(centre, T(half), multipole + v * E::rhs * expansion, expansion);
        work.template evaluate<true>({position, result + v * row * stride, stride, leaf[i].first, leaf[i].last}, row);
      }
    }
  }
}

/// Evaluates multipoles of smaller boxes at the points of all leaves of a block.
template <class V, class E, class T>
NEARFAR_FUNCTION void m2p(Buffers const& b, M2PArgs const& args, Evaluation<V, E, true>& work) {
  clear<T>(b, 4);
  add_far_boxes<V, E, T>(b, args, work, 0, 1);
}

}  // namespace nearfar

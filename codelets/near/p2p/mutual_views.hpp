// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p_buffers.hpp"
#include "core/geometry/mutual.hpp"

#include <algorithm>
#include <vector>

namespace nearfar {

/// The views of all neighbours. Those whose own tasks sum the pairs with this block are empty;
/// mutual contributions of the others are set to zero wherever they can receive something.
template <class T, class A>
std::vector<MutualView<T, A>> mutual_views(P2PBuffers<T, A> const& b, P2PArgs const& args, int row) {
  std::vector<MutualView<T, A>> views(std::size_t(args.neighbours.count()));
  int contributions = 0;
  for (int n = 0; n < args.neighbours.count(); ++n) {
    auto& view = views[std::size_t(n)];
    SourceView<A> const source = b.source(n);
    Block const other = block_at(args.cells, args.neighbours.block(args.cells, n));
    if (!args.contributions || n == args.own) {
      view = {source};
    } else if (sums_for_both(args.cells, args.block, other)) {
      view = {source, b.buffers.template get<T>(5, contributions++)};
      for_each_mutual_column(args.cells, args.block, other, [&](int cell, int cells) {
        std::fill(view.contribution + std::int64_t(source.offset[cell]) * row,
                  view.contribution + std::int64_t(source.offset[cell + cells]) * row, T(0));
      });
    }
  }
  return views;
}

}  // namespace nearfar

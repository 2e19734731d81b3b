// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd.hpp"
#include "codelets/near/p2p/mutual_views.hpp"
#include "codelets/near/p2p/p2p_simd.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

template <class T, Kernel K, bool G, class A>
char const* P2P<T, K, G, A>::symbol() {
  static std::string const s = model_symbol<T>(sizeof(A) < sizeof(T) ? "p2p_in_single" : "p2p", K, G);
  return s.c_str();
}

template <class T, Kernel K, bool G, class A>
void P2P<T, K, G, A>::portable(Buffers const& buffers, Args const& args) {
  constexpr int row = result_row(NearPair<K, G>::results);
  using Packed = PackedSource<T, A>;
  constexpr int strengths = NearPair<K, G>::strengths;
  P2PBuffers<T, A> const b(buffers);
  PointRange const chunk = args.chunk;
  auto const views = mutual_views(b, args, row);
  SourceView<A> const own = args.own < 0 ? SourceView<A>{} : b.source(args.own);
  portable_for(cells_of_block(args.cells, args.block), [&](int i) {
    int const first = b.offset[i] > chunk.first ? b.offset[i] : chunk.first;
    int const last = b.offset[i + 1] < chunk.last ? b.offset[i + 1] : chunk.last;
    if (first >= last) return;
    int cell[3];
    cell_of_block(args.cells, args.block, i, cell);
    for (int t = first; t < last; ++t) {
      T const x[3] = {b.target[t], b.target[b.stride + t], b.target[2 * b.stride + t]};
      T u[row] = {};
      for_each_run<T>(
          args, cell, [&](int n) { return views[std::size_t(n)]; },
          [&](MutualView<T, A> const& source, int first, int last, T const* shift) {
            p2p_run<K, G>(b.tables->near, x, source, first, last, shift, u);
            if (source.contribution == nullptr) return;
            T const back[3] = {-shift[0], -shift[1], -shift[2]};
            for (int j = first; j < last; ++j) {
              A const* const record = source.packed + std::int64_t(j) * Packed::width(strengths);
              T y[3];
              for (int d = 0; d < 3; ++d) y[d] = Packed::position(record, strengths, d);
              p2p_run<K, G>(b.tables->near, y, own, t, t + 1, back, source.contribution + std::int64_t(j) * row);
            }
          });
      for (int m = 0; m < row; ++m) b.result[std::int64_t(t - chunk.first) * row + m] = u[m];
    }
  });
}

template <class T, Kernel K, bool G, class A>
void P2P<T, K, G, A>::tuned(Buffers const& buffers, Args const& args) {
  P2PBuffers<T, A> const b(buffers);
  auto const views = mutual_views(b, args, result_row(NearPair<K, G>::results));
  simd_dispatch([&](auto arch) { p2p_simd<decltype(arch), T, K, G, A>(b, args, views.data()); });
}

#define NEARFAR_INSTANTIATE(T, K, G, A) template struct P2P<T, K, G, A>;
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

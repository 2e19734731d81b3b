// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/near/p2p/mutual_views.hpp"
#include "codelets/near/p2p/p2p_simd.hpp"
#include "core/kernels/several.hpp"

namespace nearfar {

namespace {

template <class T, class A>
using Views = std::vector<MutualView<T, A>>;

/// Points of cell number i that are in the chunk.
PointRange targets_in(P2PArgs const& args, std::int32_t const* offset, int i) {
  return {std::max(offset[i], args.chunk.first), std::min(offset[i + 1], args.chunk.last)};
}

/// A run of sources of one neighbour block, and the shift of its periodic image.
template <class T, class A>
struct RunOfSources {
  MutualView<T, A> source;
  int first, last;
  T shift[3];
};

constexpr int all_neighbours = -1;

/// The runs around cell number i of the block, of neighbour n alone or of all.
template <class T, class A>
void find_runs(P2PArgs const& args, int i, Views<T, A> const& views, int n, std::vector<RunOfSources<T, A>>& runs) {
  int cell[3];
  cell_of_block(args.cells, args.block, i, cell);
  runs.clear();
  for_each_run<T>(
      args, cell, [&](int at) { return n == all_neighbours || at == n ? views[std::size_t(at)] : MutualView<T, A>{}; },
      [&](MutualView<T, A> const& source, int first, int last, T const* shift) {
        runs.push_back({source, first, last, {shift[0], shift[1], shift[2]}});
      });
}

/// Mutual contributions of the targets to the points of neighbour n; those to other neighbours are stored elsewhere.
template <class K, class T, class A>
void contribute(P2PBuffers<T, A> const& b, P2PArgs const& args, Views<T, A> const& views, int n) {
  using Packed = PackedSource<T, A>;
  constexpr int strengths = K::strengths, row = result_row(K::results);
  MutualView<T, A> const& source = views[std::size_t(n)];
  if (source.contribution == nullptr) return;
  SourceView<A> const own = b.source(args.own);
  std::vector<RunOfSources<T, A>> runs;
  for (int i = 0; i < cells_of_block(args.cells, args.block); ++i) {
    PointRange const targets = targets_in(args, b.offset, i);
    if (targets.first >= targets.last) continue;
    find_runs(args, i, views, n, runs);
    for (int t = targets.first; t < targets.last; ++t)
      for (auto const& run : runs) {
        T const back[3] = {-run.shift[0], -run.shift[1], -run.shift[2]};
        for (int j = run.first; j < run.last; ++j) {
          A const* const record = source.packed + std::int64_t(j) * Packed::width(strengths);
          T y[3];
          for (int d = 0; d < 3; ++d) y[d] = Packed::position(record, strengths, d);
          p2p_run<K>(b.tables->near, y, own, t, t + 1, back, source.contribution + std::int64_t(j) * row);
        }
      }
  }
}

}  // namespace

/// First a loop over target cells, then one over neighbours: each iteration writes only its own results.
template <class T, class K, class A>
void P2P<T, K, A>::portable(Buffers const& buffers, Args const& args) {
  constexpr int row = result_row(K::results);
  P2PBuffers<T, A> const b(buffers);
  auto const views = mutual_views(b, args, row);
  portable_for(cells_of_block(args.cells, args.block), [&](int i) {
    PointRange const targets = targets_in(args, b.offset, i);
    if (targets.first >= targets.last) return;
    std::vector<RunOfSources<T, A>> runs;
    find_runs(args, i, views, all_neighbours, runs);
    for (int t = targets.first; t < targets.last; ++t) {
      T const x[3] = {b.target[t], b.target[b.stride + t], b.target[2 * b.stride + t]};
      T u[row] = {};
      for (auto const& run : runs)
        p2p_run<K>(b.tables->near, x, SourceView<A>(run.source), run.first, run.last, run.shift, u);
      for (int m = 0; m < row; ++m) b.result[std::int64_t(t - args.chunk.first) * row + m] = u[m];
    }
  });
  if (args.contributions) portable_for(args.neighbours.count(), [&](int n) { contribute<K>(b, args, views, n); });
}

template <class T, class K, class A>
void P2P<T, K, A>::tuned(Buffers const& buffers, Args const& args) {
  P2PBuffers<T, A> const b(buffers);
  auto const views = mutual_views(b, args, result_row(K::results));
  simd_dispatch([&](auto arch) { p2p_simd<decltype(arch), T, K, A>(b, args, views.data()); });
}

template <class T, class S, class A>
void P2PSeveral<T, S, A>::portable(Buffers const& buffers, Args const& args) {
  P2P<T, S, A>::portable(buffers, args);
}
template <class T, class S, class A>
void P2PSeveral<T, S, A>::tuned(Buffers const& buffers, Args const& args) {
  P2P<T, S, A>::tuned(buffers, args);
}

#define NEARFAR_INSTANTIATE(T, A, K) template struct P2P<T, K, A>;
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)
#undef NEARFAR_INSTANTIATE
#define NEARFAR_INSTANTIATE(T, A, S) template struct P2PSeveral<T, S, A>;
NEARFAR_EACH_SEVERAL_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

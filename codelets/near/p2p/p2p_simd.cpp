// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p_simd.hpp"

#include "codelets/near/p2p/near_search_simd.hpp"
#include "codelets/near/p2p/near_tile_simd.hpp"
#include "core/kernels/several.hpp"

namespace nearfar {

namespace {

/// The sums of one kernel.
template <class Tag, class T, class K, class A>
class NearSums final : public NearSearch<Tag, T, A> {
  using Search = NearSearch<Tag, T, A>;
  using Pair = typename K::Near;
  using V = Batch<A, Tag>;
  using Around = Neighbourhood<V, T, K>;
  using Rough = typename Around::Rough;
  static constexpr int row = Around::row_width;
  using Search::around, Search::b, Search::candidates, Search::segment, Search::segments;

  Around to_targets, both_ways;
  T nowhere[row];

 public:
  using Search::Search;

 private:
  void sum(Cluster<T> const& cluster) override {
    for (int begin = 0; begin < cluster.count; begin += Around::targets) add_to_tile(cluster, begin);
  }

  /// Sums the candidates for the tile of the cluster that begins with target `begin`.
  void add_to_tile(Cluster<T> const& cluster, int begin) {
    int const targets = cluster.count - begin < Around::targets ? cluster.count - begin : Around::targets;
    typename Around::Targets tile;
    Rough rough[Around::targets][4];
    for (int t = 0; t < Around::targets; ++t) {
      float square = 0;
      for (int d = 0; d < 3; ++d) {
        float const x = float(cluster.position[d][begin + t] - cluster.low[d]);
        square += x * x;
        rough[t][d] = Rough(-2 * x);
      }
      rough[t][3] = Rough(square);
    }
    if (around.own != nullptr) take_strengths(cluster.number + begin, targets, tile);
    for (int t = 0; t < Around::targets; ++t)
      tile.result[t] =
          t < targets ? b.result + std::int64_t(cluster.number[begin + t] - around.chunk.first) * row : nowhere;
    V u[Around::targets][row];
    for (auto& target : u)
      for (V& component : target) component = V(T(0));
    int found = 0, found_for_both = 0;
    auto const sum = [&] {
      to_targets.template sum<false>(found, *b.tables, tile, u);
      both_ways.template sum<true>(found_for_both, *b.tables, tile, u);
      found = found_for_both = 0;
    };
    for (int s = 0, first = 0; s < segments; first = segment[s++].end) {
      Origin<T, A> const& from = *segment[s].from;
      if (s == 0 || !from.same_image(*segment[s - 1].from)) {
        if (s > 0) sum();
        for (int d = 0; d < 3; ++d)
          for (int t = 0; t < Around::targets; ++t) tile.place(d, t, cluster.position[d][begin + t] - from.shift[d]);
      }
      if (!segment[s].for_both) {
        int const looked_up = found;
        found = to_targets.find(found, candidates, first, segment[s].end, rough);
        to_targets.look_up(from.source.packed, looked_up, found);
        continue;
      }
      int const looked_up = found_for_both;
      if (segment[s].with_cluster)
        for (int n = begin; n < cluster.count; ++n) both_ways.number[found_for_both++] = cluster.number[n];
      found_for_both = both_ways.find(found_for_both, candidates, first, segment[s].end, rough);
      bool const its_own = from.source.packed == around.own;
      both_ways.look_up(from.source.packed, looked_up, found_for_both);
      both_ways.look_up_rows(its_own ? b.result : from.source.contribution, its_own ? around.chunk.first : 0, looked_up,
                             found_for_both);
      // Pairs within a tile are visited from both sides, so their mutual contributions are discarded.
      if (segment[s].with_cluster)
        for (int t = 0; t < targets; ++t) both_ways.row[looked_up + t] = both_ways.nowhere;
    }
    sum();
    for (int t = 0; t < targets; ++t) add_all_to_row<row>(u[t], tile.result[t]);
  }

  /// Lanes past the last target get strength zero.
  void take_strengths(int const* number, int targets, typename Around::Targets& tile) const {
    for (int t = 0; t < Around::targets; ++t) {
      A const* const strength = around.own + std::int64_t(number[t]) * Around::width + Around::Packed::first_strength;
      for (int c = 0; c < K::strengths; ++c)
        tile.strength[t][c] = t < targets ? A(Mirror<K>::strength(c)) * strength[c] : A(0);
    }
  }
};

}  // namespace

template <class Tag, class T, class K, class A>
void p2p_simd(P2PBuffers<T, A> const& b, P2PArgs const& args, MutualView<T, A> const* views) {
  constexpr int row = result_row(K::results);
  for (std::int64_t i = 0; i < std::int64_t(args.chunk.count()) * row; ++i) b.result[i] = T(0);
  NearSums<Tag, T, K, A>(b, args).go_through(args, views);
}

#define NEARFAR_INSTANTIATE(T, A, K) \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, K, A>(P2PBuffers<T, A> const&, P2PArgs const&, MutualView<T, A> const*);
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)
NEARFAR_EACH_SEVERAL_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

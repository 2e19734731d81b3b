// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p_simd.hpp"

#include "codelets/near/p2p/near_tile_simd.hpp"
#include "codelets/near/p2p/runs_simd.hpp"
#include "core/kernels/several.hpp"

namespace nearfar {

namespace {

template <class Tag, class T, class K, class A>
struct ColumnOfTargets {
  using Pair = typename K::Near;
  using V = Batch<A, Tag>;
  using Around = Neighbourhood<V, T, K>;
  using Rough = typename Around::Rough;
  static constexpr int row = Around::row_width;

  P2PBuffers<T, A> const& b;
  Surroundings<T, A> around;
  float limit;
  Rough reach;
  Candidates<Rough> candidates;
  int segments = 0;
  struct Segment {
    Origin<T, A> const* from;
    int end;  ///< of its candidates
    bool for_both, with_cluster;
  } segment[2 * max_origins];
  Around to_targets, both_ways;
  T nowhere[row];

  /// Adds the collected stretches to the targets of `count` cells, of which the first has this number in the block and
  /// this z.
  void add(int cell, int z, int count) {
    around.sort();
    PointRange const chunk = around.chunk;
    std::int32_t const* const offset = b.offset + cell;
    int const first = offset[0] > chunk.first ? offset[0] : chunk.first,
              last = offset[count] < chunk.last ? offset[count] : chunk.last;
    int low = 0, high = 0;
    for (int t = first, many; t < last; t += many) {
      many = last - t < Cluster<T>::most ? last - t : Cluster<T>::most;
      while (offset[low + 1] <= t) ++low;
      while (offset[high + 1] < t + many) ++high;
      around.find_runs({t, t + many}, z + low, z + high);
      add_to(Cluster<T>(b, t, many));
    }
    around.clear();
  }

  /// Adds the runs found to a cluster of targets.
  void add_to(Cluster<T> const& cluster) {
    float size = 0;
    for (int d = 0; d < 3; ++d) size += float(cluster.high[d] - cluster.low[d]);
    // Rough squared distances are differences of squares about the cluster's corner, so the limit is widened for
    // rounding.
    reach = Rough(limit + 0x1p-19f * (limit + 4 * size * size));
    for (int g = 0, i = 0, k = 0; g < around.origins; ++g) {
      auto const& group = around.group[g];
      if (i < group.end_of_one_way)
        gather(cluster, around.one_way, i, group.end_of_one_way, {group.from, 0, false, false});
      if (k < group.end_of_mutual || group.holds_cluster)
        gather(cluster, around.mutual, k, group.end_of_mutual, {group.from, 0, true, group.holds_cluster});
    }
    add_candidates(cluster);
  }

  /// Candidates from the runs i .. end - 1.
  void gather(Cluster<T> const& cluster, Runs const& runs, int& i, int end, Segment part) {
    auto const& source = part.from->source;
    Rough corner[3], extent[3];
    for (int d = 0; d < 3; ++d) {
      corner[d] = Rough(float(cluster.low[d] - part.from->shift[d]));
      extent[d] = Rough(float(cluster.high[d] - cluster.low[d]));
    }
    auto const close = [&] {
      part.end = candidates.count;
      segment[segments++] = part;
      part.with_cluster = false;
    };
    for (; i < end; ++i)
      // Long runs go in pieces that fit.
      for (int first = runs.run[i].first, last; first < runs.run[i].last; first = last) {
        if (candidates.count == candidates.capacity) {
          close();
          add_candidates(cluster);
        }
        int const room = candidates.capacity - candidates.count;
        last = runs.run[i].last - first < room ? runs.run[i].last : first + room;
        candidates.add(source, first, last, corner, extent, reach);
      }
    close();
  }

  void add_candidates(Cluster<T> const& cluster) {
    candidates.measure(reach);
    for (int begin = 0; begin < cluster.count; begin += Around::targets) add_to_tile(cluster, begin);
    candidates.count = segments = 0;
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

/// Column by column: the surroundings of a column of target cells are determined once for all its cells.
template <class Tag, class T, class K, class A>
void p2p_simd(P2PBuffers<T, A> const& b, P2PArgs const& args, MutualView<T, A> const* views) {
  Cells const& c = args.cells;
  int first[3], count[3];
  for (int d = 0; d < 3; ++d) {
    first[d] = c.first_cell(d, args.block.at[d]);
    count[d] = c.cells_in(d, args.block.at[d]);
  }
  PointRange const chunk = args.chunk;
  A const* const own = args.own < 0 ? nullptr : b.source(args.own).packed;
  ColumnOfTargets<Tag, T, K, A> targets{b, {args.chunk, own}, rough_limit(c), {}, {}, 0, {}, {}, {}, {}};
  constexpr int row = result_row(K::results);
  for (std::int64_t i = 0; i < std::int64_t(chunk.count()) * row; ++i) b.result[i] = T(0);

  // Cells apart from the others are a column of their own (core/geometry/near_frame.hpp).
  int const apart = apart_cells(c, 2),
            borders[3] = {first[2], apart > first[2] ? apart : first[2], first[2] + count[2]};
  for (int i = 0; i < 2 * count[0] * count[1]; ++i) {
    int const z = borders[i % 2], cells = (borders[i % 2 + 1] < borders[2] ? borders[i % 2 + 1] : borders[2]) - z;
    if (cells <= 0) continue;
    int const cell_x = first[0] + i / 2 / count[1], cell_y = first[1] + i / 2 % count[1],
              first_cell = i / 2 * count[2] + z - first[2];
    int const begin = b.offset[first_cell], end = b.offset[first_cell + cells];
    if (begin == end || end <= chunk.first) continue;
    if (begin >= chunk.last) break;
    for_each_column(c, cell_x, cell_y, [&](Column const& column) {
      for_each_stretch<T>(
          args, column, z + column.low, z + cells - 1 + column.high, z, [&](int n) { return views[n]; },
          [&](MutualView<T, A> const& source, int cell, int at, int length, T const* shift) {
            targets.around.push({source, {shift[0], shift[1], shift[2]}},
                                {source.offset + cell - at, at, at + length - 1, column.low, column.high, 0});
            if (targets.around.full()) targets.add(first_cell, z, cells);
          });
    });
    targets.add(first_cell, z, cells);
  }
}

#define NEARFAR_INSTANTIATE(T, A, K) \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, K, A>(P2PBuffers<T, A> const&, P2PArgs const&, MutualView<T, A> const*);
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)
NEARFAR_EACH_SEVERAL_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

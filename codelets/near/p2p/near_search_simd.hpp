// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For p2p_simd.cpp only, like runs_simd.hpp.

#include "codelets/near/p2p/cluster_simd.hpp"
#include "codelets/near/p2p/runs_simd.hpp"

namespace nearfar {

namespace {

/// Goes through the targets of a chunk cluster by cluster and finds the sources near each. What is summed of them is
/// the part of a derived class, so that the search is compiled once for all kernels.
template <class Tag, class T, class A>
class NearSearch {
 public:
  using Rough = xsimd::batch<float, typename Batch<A, Tag>::arch_type>;

  NearSearch(P2PBuffers<T, A> const& buffers, P2PArgs const& args)
      : b(buffers), around{args.chunk, args.own < 0 ? nullptr : buffers.source(args.own).packed},
        limit(rough_limit(args.cells)) {}

  /// Column by column: the surroundings of a column of target cells are determined once for all its cells.
  void go_through(P2PArgs const& args, MutualView<T, A> const* views) {
    Cells const& c = args.cells;
    PointRange const& chunk = around.chunk;
    int first[3], count[3];
    for (int d = 0; d < 3; ++d) {
      first[d] = c.first_cell(d, args.block.at[d]);
      count[d] = c.cells_in(d, args.block.at[d]);
    }
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
              around.push({source, {shift[0], shift[1], shift[2]}},
                          {source.offset + cell - at, at, at + length - 1, column.low, column.high, 0});
              if (around.full()) take_targets(first_cell, z, cells);
            });
      });
      take_targets(first_cell, z, cells);
    }
  }

 protected:
  /// Consecutive candidates of one block and image.
  struct Segment {
    Origin<T, A> const* from;
    int end;  ///< of its candidates
    bool for_both, with_cluster;
  };

  P2PBuffers<T, A> const& b;
  Surroundings<T, A> around;
  float const limit;
  Candidates<Rough> candidates = {};
  int segments = 0;
  Segment segment[2 * max_origins] = {};

  ~NearSearch() = default;

  /// Adds the candidates, segment by segment, to the results of the cluster's targets.
  virtual void sum(Cluster<T> const& cluster) = 0;

 private:
  /// Sums the collected stretches for the targets of `count` cells, of which the first has this number in the block and
  /// this z.
  void take_targets(int cell, int z, int count) {
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
      find_candidates(Cluster<T>(b, t, many));
    }
    around.clear();
  }

  /// Candidates from the runs found around a cluster of targets.
  void find_candidates(Cluster<T> const& cluster) {
    float size = 0;
    for (int d = 0; d < 3; ++d) size += float(cluster.high[d] - cluster.low[d]);
    // Rough squared distances are differences of squares about the cluster's corner, so the limit is widened for
    // rounding.
    Rough const reach(limit + 0x1p-19f * (limit + 4 * size * size));
    for (int g = 0, i = 0, k = 0; g < around.origins; ++g) {
      auto const& group = around.group[g];
      if (i < group.end_of_one_way)
        gather(cluster, reach, around.one_way, i, group.end_of_one_way, {group.from, 0, false, false});
      if (k < group.end_of_mutual || group.holds_cluster)
        gather(cluster, reach, around.mutual, k, group.end_of_mutual, {group.from, 0, true, group.holds_cluster});
    }
    sum_candidates(cluster, reach);
  }

  /// Candidates from the runs i .. end - 1.
  void gather(Cluster<T> const& cluster, Rough reach, Runs const& runs, int& i, int end, Segment part) {
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
          sum_candidates(cluster, reach);
        }
        int const room = candidates.capacity - candidates.count;
        last = runs.run[i].last - first < room ? runs.run[i].last : first + room;
        candidates.add(source, first, last, corner, extent, reach);
      }
    close();
  }

  void sum_candidates(Cluster<T> const& cluster, Rough reach) {
    candidates.measure(reach);
    sum(cluster);
    candidates.count = segments = 0;
  }
};

}  // namespace

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For p2p_simd.cpp only, which is compiled once per instruction set. In an unnamed
// namespace, so that the linker does not merge functions of different instruction sets.

#include "codelets/near/p2p/p2p_buffers.hpp"

namespace nearfar {

namespace {

/// Sources of one block and image.
template <class T, class A>
struct Origin {
  MutualView<T, A> source;
  T shift[3];

  bool is(Origin const& o) const { return source.packed == o.source.packed && same_image(o); }
  /// No image.
  bool is_given() const { return shift[0] == 0 && shift[1] == 0 && shift[2] == 0; }
  bool same_image(Origin const& o) const {
    return shift[0] == o.shift[0] && shift[1] == o.shift[1] && shift[2] == o.shift[2];
  }
};

/// A stretch of source cells along z beside a column of target cells; the points of cell z begin at offset[z].
struct Stretch {
  std::int32_t const* offset;
  int low, high;     ///< cells, unwrapped as the targets see them
  int below, above;  ///< cells from which points can be near, relative to that of the target
  int origin;
};

constexpr int max_stretches = 256, max_origins = 128;

/// Runs of sources around targets.
struct Runs {
  static constexpr int most = 3 * max_stretches;
  int count = 0;
  struct {
    int first, last;  ///< points
  } run[most];

  void add(int first, int last) {
    if (first < last) run[count++] = {first, last};
  }
};

/// The sources around a column of target cells, and the runs of them around a cluster of its targets.
template <class T, class A>
struct Surroundings {
  PointRange chunk;  ///< of targets
  A const* own;      ///< packed sources of the targets, if they are sources
  int stretches = 0, origins = 0;
  Stretch stretch[max_stretches] = {}, sorted[max_stretches] = {};
  Origin<T, A> origin[max_origins] = {};
  struct {
    Origin<T, A> const* from;
    int end;                            ///< of its stretches, sorted
    int end_of_one_way, end_of_mutual;  ///< of its runs
    bool holds_cluster;                 ///< itself, not an image of it
  } group[max_origins] = {};
  Runs one_way = {}, mutual = {};

  bool full() const { return stretches == max_stretches || origins == max_origins; }

  void push(Origin<T, A> const& from, Stretch s) {
    while (s.origin < origins && !origin[s.origin].is(from)) ++s.origin;
    if (s.origin == origins) origin[origins++] = from;
    stretch[stretches++] = s;
  }

  void clear() { stretches = origins = 0; }

  /// Origins of one image are consecutive, and so are the stretches of one
  /// origin: the sources found in them are looked up and summed together.
  void sort() {
    int ordered = 0, to = 0;
    bool done[max_origins] = {};
    for (int first = 0; first < origins; ++first)
      for (int o = first; o < origins; ++o) {
        if (done[o] || !origin[o].same_image(origin[first])) continue;
        done[o] = true;
        for (int i = 0; i < stretches; ++i)
          if (stretch[i].origin == o) sorted[to++] = stretch[i];
        group[ordered++] = {&origin[o], to, 0, 0, false};
      }
  }

  /// The runs of sources around a cluster in the cells z = low .. high.
  void find_runs(PointRange cluster, int low, int high) {
    one_way.count = mutual.count = 0;
    for (int g = 0, i = 0; g < origins; ++g) {
      bool const its_own = group[g].from->source.packed == own;
      group[g].holds_cluster = false;
      for (; i < group[g].end; ++i) {
        Stretch const& s = sorted[i];
        int const begin = low + s.below > s.low ? low + s.below : s.low,
                  last = high + s.above < s.high ? high + s.above : s.high;
        if (begin > last) continue;
        int const first = s.offset[begin], end = s.offset[last + 1];
        if (its_own) {
          bool const holds_cluster = group[g].from->is_given() && first <= cluster.first && cluster.last <= end;
          push_run(cluster, first, end, holds_cluster);
          group[g].holds_cluster = group[g].holds_cluster || holds_cluster;
        } else {
          (group[g].from->source.contribution == nullptr ? one_way : mutual).add(first, end);
        }
      }
      group[g].end_of_one_way = one_way.count;
      group[g].end_of_mutual = mutual.count;
    }
  }

  /// In the cluster's own block, pairs within the chunk are summed once for both, when it is the first
  /// one's turn. The cluster itself is not searched, and an image sees it as often as it sees that image.
  void push_run(PointRange cluster, int first, int last, bool holds_cluster) {
    auto const from = [&](int limit) { return first > limit ? first : limit; };
    auto const to = [&](int limit) { return last < limit ? last : limit; };
    one_way.add(first, to(chunk.first));
    if (!holds_cluster) one_way.add(from(cluster.first), to(cluster.last));
    mutual.add(from(cluster.last), to(chunk.last));
    one_way.add(from(chunk.last), last);
  }
};

}  // namespace

}  // namespace nearfar

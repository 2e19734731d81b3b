// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/uniform_lists.hpp"
#include "core/tree/cut_of_leaf.hpp"

namespace nearfar {

/// What the leaves of such a tree see in P2P.
struct NearLeaves {
  BoxLevel leaves;
  std::uint32_t const* begin;  ///< of the points of each leaf, and the end of the last

  static constexpr int most = 125;

  NEARFAR_FUNCTION std::int32_t points(std::int64_t b) const { return std::int32_t(begin[b + 1] - begin[b]); }
  /// The near leaves of leaf b, by image and then in order: 32 bits each.
  NEARFAR_FUNCTION int find(std::int64_t b, std::uint64_t found[most]) const {
    int count = 0;
    std::int32_t own[3], d[3];
    place_of_key(leaves.key(b), own);
    for (int way = 0; way < leaves.counts.near(); ++way) {
      std::int32_t const other = leaves.near(b, way);
      if (other < 0) continue;
      leaves.counts.way(way, d);
      std::uint64_t image = 0;
      for (int k = 0; k < 3; ++k) image = image << 8 | std::uint64_t(((own[k] + d[k]) >> leaves.level) + 128);
      std::uint64_t const item = image << 32 | std::uint64_t(other);
      int at = count++;
      for (; at > 0 && found[at - 1] > item; --at) found[at] = found[at - 1];
      found[at] = item;
    }
    return count;
  }
  NEARFAR_FUNCTION static bool begins_run(std::uint64_t const* found, int i) {
    return i == 0 || found[i] != found[i - 1] + 1;
  }
};

/// The runs of each leaf, and the points in them.
struct CountRuns {
  NearLeaves near;
  std::int32_t *runs, *sources;  ///< runs: and one more

  NEARFAR_FUNCTION void operator()(std::int64_t b) const {
    runs[b] = 0;
    if (b == near.leaves.size()) return;
    std::uint64_t found[NearLeaves::most];
    int const count = near.find(b, found);
    std::int32_t all = 0;
    for (int i = 0; i < count; ++i) {
      runs[b] += NearLeaves::begins_run(found, i) ? 1 : 0;
      all += near.points(std::int64_t(found[i] & 0xffffffffu));
    }
    sources[b] = all;
  }
};
struct PartPairs {
  NearLeaves near;
  std::int32_t const* sources;
  std::int64_t threads;
  std::uint64_t* parts;

  NEARFAR_FUNCTION void operator()(std::int64_t t) const {
    std::uint64_t pairs = 0;
    for (std::int64_t b = t; b < near.leaves.size(); b += threads)
      pairs += std::uint64_t(near.points(b)) * std::uint64_t(sources[b]);
    parts[t] = pairs;
  }
};
struct TakeRuns {
  std::int32_t const* runs;
  std::int64_t leaves;
  std::uint64_t* totals;

  NEARFAR_FUNCTION void operator()(std::int64_t) const { totals[0] = std::uint64_t(runs[leaves]); }
};

/// Totals: runs and pairs.
template <class Device>
void count_runs(Device& device, NearLeaves const& near, std::int32_t* runs, std::int32_t* sources,
                std::uint64_t* totals) {
  constexpr char what[] = "counts runs of points";
  std::int64_t const leaves = near.leaves.size();
  device.for_all(leaves + 1, CountRuns{near, runs, sources}, what);
  device.begin_all(runs, leaves + 1);
  auto* const parts = device.template room<std::uint64_t>(device.threads);
  device.for_all(device.threads, PartPairs{near, sources, device.threads, parts}, what);
  device.template reduced<Sum>(parts, 1, device.threads, totals + 1);
  device.for_all(1, TakeRuns{runs, leaves, totals}, what);
}

/// How many pieces GPUs cut each leaf into.
struct CountPieces {
  NearLeaves near;
  std::int32_t const* sources;
  double pairs;
  std::int32_t* pieces;  ///< and one more

  NEARFAR_FUNCTION void operator()(std::int64_t b) const {
    pieces[b] = b < near.leaves.size() ? CutOfLeaf(pairs, near.points(b), sources[b]).pieces() : 0;
  }
};

/// The table of P2P, and that of leaves.
struct WriteLeaf {
  NearLeaves near;
  std::int32_t const *runs, *sources, *pieces;
  double pairs;
  std::int32_t *p2p, *table;

  NEARFAR_FUNCTION void operator()(std::int64_t b) const {
    std::int64_t const leaves = near.leaves.size();
    int constexpr head = PairTable<PointRun>::head;
    auto* const item = reinterpret_cast<PointRun*>(p2p + head + 2 * leaves);
    auto* const cut = reinterpret_cast<LeafCut*>(p2p + head + 2 * leaves + 6 * std::int64_t(runs[leaves]));
    if (b == leaves) {
      p2p[0] = std::int32_t(leaves);
      p2p[1] = runs[leaves];
      p2p[2] = p2p[3] = 0;
      cut[b] = {pieces[b], CutOfLeaf(pairs, near.points(b - 1), sources[b - 1]).splits, sources[b - 1]};
      return;
    }
    Leaf leaf{{}, std::int32_t(near.begin[b]), std::int32_t(near.begin[b + 1])};
    place_of_key(near.leaves.key(b), leaf.at);
    reinterpret_cast<Leaf*>(table)[b] = leaf;
    reinterpret_cast<Range*>(p2p + head)[b] = {runs[b], runs[b + 1] - runs[b]};
    cut[b] = {pieces[b], CutOfLeaf(pairs, near.points(b), sources[b]).splits, sources[b]};
    std::uint64_t found[NearLeaves::most];
    int const count = near.find(b, found);
    PointRun* run = item + runs[b] - 1;
    for (int i = 0; i < count; ++i) {
      std::int64_t const other = std::int64_t(found[i] & 0xffffffffu);
      if (NearLeaves::begins_run(found, i)) {
        *++run = {0, std::int32_t(near.begin[other]), 0, {}};
        for (int k = 0; k < 3; ++k) run->image[k] = int(found[i] >> (48 - 8 * k) & 255) - 128;
      }
      run->last = std::int32_t(near.begin[other + 1]);
    }
  }
};

template <class Device>
void write_leaves(Device& device, NearLeaves const& near, std::int32_t const* runs, std::int32_t const* sources,
                  double pairs, std::int32_t* p2p, std::int32_t* table) {
  std::int64_t const leaves = near.leaves.size();
  auto* const pieces = device.template room<std::int32_t>(leaves + 1);
  device.for_all(leaves + 1, CountPieces{near, sources, pairs, pieces}, "cuts leaves");
  device.begin_all(pieces, leaves + 1);
  device.for_all(leaves + 1, WriteLeaf{near, runs, sources, pieces, pairs, p2p, table}, "writes runs of points");
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/tree/dealt_leaves.hpp"

#include "tasks/nodes/exchange_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

namespace nearfar::detail {

namespace {

/// A point as it is sent: the caller's coordinates, and its number among the points of all ranks.
template <class T>
struct LeafPoint {
  T x[3];
  std::uint32_t row, leaf;
};

template <class T>
MortonKey key_of(PointsInRoot<T> const& given, int level, T const* row, std::size_t number) {
  T relative[3] = {}, near[3] = {};
  given.place_row(row, number, relative, near);
  return point_key(given.shape(), relative, level);
}

/// The leaves of each block, in the block's order.
std::vector<std::vector<std::int32_t>> leaves_of_blocks(FmmTree const& tree, LeafCurve const& curve) {
  std::vector<std::vector<std::int32_t>> leaves(std::size_t(tree.blocks()));
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.block(b).of_leaves) leaves[std::size_t(b)].resize(std::size_t(tree.block(b).size()));
  for (int leaf = 0; leaf < curve.size(); ++leaf) {
    LocalBox const at = tree.local_box(curve.level(leaf), curve.number(leaf));
    leaves[std::size_t(at.block)][std::size_t(at.local)] = leaf;
  }
  return leaves;
}

/// All blocks, with as many points in their leaves as the tree says, but without data.
template <class T>
BlockedPoints<T> counted(FmmTree const& tree, Side side) {
  std::vector<BlockSize> sizes;
  std::vector<std::int32_t> of_leaves;
  for (int b = 0; b < tree.blocks(); ++b) {
    TreeBlock const& block = tree.block(b);
    sizes.push_back({});
    if (!block.of_leaves) continue;
    sizes.back() = {std::int32_t(side == Side::sources ? block.sources : block.targets), block.size()};
    for (std::int32_t const number : block.boxes) {
      TreeBox const& leaf = tree.tree().levels[std::size_t(block.level)][std::size_t(number)];
      of_leaves.push_back(std::int32_t(side == Side::sources ? leaf.sources() : leaf.targets()));
    }
  }
  return BlockedPoints<T>(std::move(sizes), {}, of_leaves);
}

/// The received points, grouped by leaf.
struct ByLeaf {
  std::vector<std::uint32_t> begin;
  BulkVector<std::uint32_t> place;  ///< indices of received points, in the order of arrival within a leaf

  template <class T>
  ByLeaf(int leaves, BulkVector<LeafPoint<T>> const& points) : begin(std::size_t(leaves) + 1, 0), place(points.size()) {
    for (auto const& point : points) ++begin[point.leaf];
    std::inclusive_scan(begin.begin(), begin.end(), begin.begin());  // ends; the next loop counts down to beginnings
    for (std::size_t i = points.size(); i-- > 0;) place[--begin[points[i].leaf]] = std::uint32_t(i);
  }
};

/// Fills a block with its points in order. True if two of them have the same key.
template <class T>
bool fill_block(OwnLeaves<T> const& own, std::vector<std::int32_t> const& leaves,
                BulkVector<LeafPoint<T>> const& points, ByLeaf const& by_leaf, BlockArrays<T> const& out) {
  std::vector<NumberedKey> items, spare;
  bool alike = false;
  std::int64_t at = 0;
  for (std::int32_t const leaf : leaves) {
    items.clear();
    for (std::uint32_t i = by_leaf.begin[std::size_t(leaf)]; i < by_leaf.begin[std::size_t(leaf) + 1]; ++i) {
      LeafPoint<T> const& point = points[by_leaf.place[i]];
      items.push_back({key_of(own.given, own.level, point.x, point.row), by_leaf.place[i]});
    }
    spare.resize(std::max(spare.size(), items.size()));
    auto const sorted = sort_few(items, spare);
    for (std::size_t i = 0; i < sorted.size(); ++i, ++at) {
      alike = alike || (i > 0 && sorted[i].key == sorted[i - 1].key);
      LeafPoint<T> const& point = points[sorted[i].number];
      T relative[3] = {}, near[3] = {};
      own.given.place_row(point.x, point.row, relative, near);
      out.row[at] = point.row;
      for (std::int64_t d = 0; d < 3; ++d) {
        out.position[d * out.stride + at] = relative[d];
        if (out.near != nullptr) out.near[d * out.stride + at] = near[d];
      }
    }
  }
  clear_padding(PieceArrays<T>::of(out, 0, out.cells, 0, out.points));
  return alike;
}

/// The points that this rank gives, for each rank those in the blocks that it needs.
template <class T>
BulkVector<LeafPoint<T>> points_for(std::vector<std::vector<int>> const& holders, FmmTree const& tree,
                                    OwnLeaves<T> const& own, std::vector<std::size_t>& counts) {
  auto const visit = [&](auto const& body) {
    for (int leaf = 0; leaf < own.curve.size(); ++leaf) {
      auto const first = own.points.begin[std::size_t(leaf)], last = own.points.begin[std::size_t(leaf) + 1];
      if (first == last) continue;
      int const block = tree.local_box(own.curve.level(leaf), own.curve.number(leaf)).block;
      for (int const r : holders[std::size_t(block)]) body(std::uint32_t(leaf), first, last, std::size_t(r));
    }
  };
  visit([&](std::uint32_t, std::uint32_t first, std::uint32_t last, std::size_t r) { counts[r] += last - first; });
  std::vector<std::size_t> next(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::size_t(0));
  BulkVector<LeafPoint<T>> sent(std::accumulate(counts.begin(), counts.end(), std::size_t(0)));
  visit([&](std::uint32_t leaf, std::uint32_t first, std::uint32_t last, std::size_t r) {
    for (std::uint32_t i = first; i < last; ++i) {
      std::uint32_t const row = own.points.order[i];
      T const* const x = own.given.row(row);
      sent[next[r]++] = {{x[0], x[1], x[2]}, std::uint32_t(own.given.first()) + row, leaf};
    }
  });
  return sent;
}

}  // namespace

LeafPoints leaves_of_all(Ranks const& ranks, LeafPoints const& own) {
  std::vector<std::int32_t> counts;
  LeafPoints all;
  ranks.together([&] {
    for (std::size_t leaf = 0; leaf + 1 < own.begin.size(); ++leaf)
      counts.push_back(std::int32_t(own.begin[leaf + 1] - own.begin[leaf]));
    all.begin.assign(own.begin.size(), 0);
  });
  ranks.sum(std::span(counts));
  std::inclusive_scan(counts.begin(), counts.end(), all.begin.begin() + 1, std::plus<>(), 0u);
  return all;
}

std::vector<std::vector<int>> leaf_holders(FmmTree const& tree, Side side) {
  std::vector<std::vector<int>> holders(std::size_t(tree.blocks()));
  for (int b = 0; b < tree.blocks(); ++b) {
    if (side == Side::sources ? tree.is_source_leaves(b) : tree.is_target_leaves(b))
      holders[std::size_t(b)].push_back(tree.owner(b));
    if (side == Side::targets) continue;
    for (Gather const* const gather : {&tree.lists(b).p2p, &tree.lists(b).p2l})
      for (std::int32_t const other : gather->blocks) holders[std::size_t(other)].push_back(tree.owner(b));
  }
  for (auto& ranks : holders) {
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  }
  return holders;
}

template <class T>
BlockedPoints<T> deal_leaves(Ranks const& ranks, FmmTree const& tree, Side side, OwnLeaves<T> const& own, bool distinct,
                             Loop const& loop) {
  std::vector<std::size_t> counts(std::size_t(ranks.count()), 0);
  std::vector<int> held;
  BulkVector<LeafPoint<T>> sent;
  ranks.together([&] {
    auto const holders = leaf_holders(tree, side);
    for (int b = 0; b < tree.blocks(); ++b)
      if (std::ranges::find(holders[std::size_t(b)], ranks.rank()) != holders[std::size_t(b)].end()) held.push_back(b);
    sent = points_for(holders, tree, own, counts);
  });
  auto const received = exchange_rows(ranks, sent, counts);
  sent = {};
  std::optional<BlockedPoints<T>> points;
  ranks.together([&] {
    points.emplace(counted<T>(tree, side));
    points->hold(held);
    std::vector<OwnForms> forms(std::size_t(tree.blocks()), OwnForms{});
    for (int const b : held) forms[std::size_t(b)].near = own.given.has_near();
    points->make_forms(forms);
    ByLeaf const by_leaf(own.curve.size(), received);
    auto const leaves = leaves_of_blocks(tree, own.curve);
    std::vector<char> twins(held.size(), 0);
    loop(held.size(), [&](std::size_t k) {
      auto const out = points->arrays(held[k]);
      bool const alike = fill_block(own, leaves[std::size_t(held[k])], received, by_leaf, out);
      if (!alike || !distinct || tree.owner(held[k]) != ranks.rank()) return;
      BulkVector<std::int32_t> table(std::size_t(twin_table_size(out.points)));
      twins[k] = has_twins(points->near(held[k]), out.stride, out.points, table.data());
    });
    for (std::size_t k = 0; k < held.size(); ++k)
      if (twins[k] != 0) points->expect_distinct(held[k], own.given.frame(), "source");
    points->register_blocks();
  });
  return std::move(*points);
}

OwnRows own_rows(FmmTree const& tree, LeafCurve const& curve, LeafPoints const& own) {
  OwnRows rows;
  for (auto const& leaves : leaves_of_blocks(tree, curve)) {
    for (std::int32_t const leaf : leaves)
      rows.row.insert(rows.row.end(), own.order.begin() + own.begin[std::size_t(leaf)],
                      own.order.begin() + own.begin[std::size_t(leaf) + 1]);
    rows.first.push_back(rows.row.size());
  }
  return rows;
}

template BlockedPoints<double> deal_leaves(Ranks const&, FmmTree const&, Side, OwnLeaves<double> const&, bool,
                                           Loop const&);
template BlockedPoints<float> deal_leaves(Ranks const&, FmmTree const&, Side, OwnLeaves<float> const&, bool,
                                          Loop const&);

}  // namespace nearfar::detail

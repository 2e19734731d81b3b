// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/uniform_boxes.hpp"
#include "core/plan/fmm/tree_work.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/fmm/tree/root.hpp"
#include "tasks/points/blocked_points.hpp"
#include "tasks/points/extent.hpp"

#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace nearfar::detail {

/// What solves read of a tree that a GPU has made, whose leaves are all on one level: one block for each level.
struct GpuTables {
  TreeShape shape;
  BoxCounts counts;
  std::size_t points = 0;
  double pairs = 0;                  ///< in P2P
  std::vector<double> interactions;  ///< M2L, of each level
  Data leaves, p2p;
  std::vector<Data> m2m, l2l, m2l;  ///< of each level, where there are expansions
};

/// Whether a GPU can make the tree of so many points: if there are enough to be worth starting, and unless waiting for
/// tasks would mean waiting for oneself.
template <class T>
bool makes_tree_on_gpu(std::size_t points);

/// A GPU does not make the tree that is asked for.
struct LeavesOnSeveralLevels : std::exception {};

/// Points on their way into a tree that a GPU makes, in whose memory they stay: sources that are the targets.
template <class T>
class GpuTree {
 public:
  /// `rows` may be in the GPU's memory; they outlive this.
  GpuTree(std::shared_ptr<RuntimeState> runtime, std::span<T const> rows);

  Extent extent();
  /// Sorts them by their keys of level `level` in a root. Uniform trees down to level `last` are counted.
  void sort(PointsInRoot<T> const& points, int level, int last);
  /// After sort. Asked for trees that follow the points, throws LeavesOnSeveralLevels.
  PointTrees trees(Loop const& loop);
  /// After sort. Whether leaves of uniform trees hold very different numbers of points.
  bool is_uneven() const;
  /// After sort. Pairs of points that share a leaf on this level; boxes down to there.
  double pairs(int depth) const { return occupancy_.pairs[std::size_t(depth)]; }
  std::size_t boxes(int depth) const;
  /// The tree in the root in which points were sorted last.
  GpuTables make_tables(TreeShape const& shape);
  /// Points in its leaves. Throws Error{bad_input} if two coincide.
  BlockedPoints<T> in_leaves(PointsInRoot<T> const& points);

 private:
  Handle leaf_keys(int depth);

  std::shared_ptr<RuntimeState> runtime_;
  Awake awake_;
  std::span<T const> rows_;
  Data given_, keys_, order_, leaf_, begin_;
  int level_ = 0, depth_ = -1;  ///< of keys and leaves
  Occupancy occupancy_;
};

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/tree_stages.hpp"
#include "core/plan/fmm/tree_work.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/given_arrays.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/fmm/gpu/gpu_tables.hpp"
#include "tasks/fmm/tree/root.hpp"
#include "tasks/points/blocked_points.hpp"
#include "tasks/points/extent.hpp"

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace nearfar::detail {

/// Whether a GPU can make the tree of so many points: if there are enough to be worth starting and few enough for its
/// memory, and unless waiting for tasks would mean waiting for oneself.
template <class T>
bool makes_tree_on_gpu(std::size_t points);

/// A GPU does not make the tree that is asked for: it has too many boxes for its points, or too many points in a leaf
/// to be compared with each other.
struct NotForGpus : std::exception {};

/// A root, as the sources and the targets have it whose tree a GPU makes; both the same if these are the sources.
template <class T>
struct GivenToGpu {
  PointsInRoot<T> sources, targets;
};
template <class T>
struct MadeOnGpu {
  GpuTables tables;
  std::vector<BlockedPoints<T>> points;  ///< sources; targets if they are others
};

/// Points on their way into a tree that a GPU makes, in whose memory they stay.
template <class T>
class GpuTree {
 public:
  /// Rows may be in the GPU's memory; they outlive this. No targets if they are the sources. `room`: for the tree and
  /// its points; null: anywhere.
  GpuTree(std::shared_ptr<RuntimeState> runtime, GivenArrays<T const> const& sources,
          std::optional<GivenArrays<T const>> const& targets, std::shared_ptr<KeptRoom> room = nullptr);

  Extent extent();
  /// Sorts them by their keys of level `level` in a root. Uniform trees down to level `last` are counted.
  void sort(GivenToGpu<T> const& points, int level, int last);
  /// The same and what boxes() finds for a tree of this shape, and extent() if it was not called, all with one wait: in
  /// another root, or for points that have moved, which are in theirs if extent() says so. `deepest`: how deep the tree
  /// is expected to be. Points have no order below level `level`.
  void begin(GivenToGpu<T> const& points, int level, TreeShape const& shape, int deepest);
  /// The deepest level of keys that are sorted as fast as those of level `depth`.
  static int level_for(int depth);
  /// After sort, until the next one. Of the sources or the targets, whichever are more. Work is counted there, of the
  /// same sample as on the host.
  PointTrees trees();
  /// After sort. The tree in the root in which points were sorted, to be made, and how many boxes it has.
  std::size_t boxes(TreeShape const& shape);
  double pairs_in_leaves(TreeShape const& shape);
  /// Its tables, and points in its leaves. Throws Error{bad_input} if two coincide that are sources and targets.
  MadeOnGpu<T> make(TreeShape const& shape, std::uint32_t few, GivenToGpu<T> const& points, Parted const& parted = {});

 private:
  struct Side {
    std::int64_t points = 0;
    std::vector<Data> given;  ///< arrays, and how rows are cut into these
    RowCut cut{};
    Data keys, order;
    std::vector<std::uint64_t> counted;  ///< as SortCurve writes it: both of the following
    Occupancy occupancy;
    std::vector<std::uint64_t> crowded;  ///< CrowdsAtPoint
  };
  enum class Of { sources, targets, both };
  /// Near boxes of a tree, and what a sample of it saw.
  struct Near {
    std::vector<Data> data;
    std::vector<std::uint64_t> sample;  ///< and parts
    std::uint32_t few;
  };
  struct Boxes {
    std::int64_t room = 0;  ///< for so many
    BoxCounts counts;
    std::vector<std::uint64_t> numbers;  ///< as MakeBoxes finds them
    std::vector<Data> data;
    std::map<std::pair<int, bool>, Near> near;  ///< by separation, periodic or not
  };

  bool same() const { return sides_.size() == 1; }
  Targets targets() const { return same() ? Targets::sources : Targets::own; }
  Of all() const { return same() ? Of::sources : Of::both; }
  Side const& more() const { return !same() && sides_[1].points > sides_[0].points ? sides_[1] : sides_[0]; }
  using BoxesKey = std::tuple<int, int, Of>;  ///< depth and capacity

  // Tasks, and what is made of the numbers that they find.
  void insert_extent(Graph& graph);
  void insert_sort(Graph& graph, GivenToGpu<T> const& points, int level, int last, int powers);
  void take_counts();
  Boxes& room_for_boxes(BoxesKey const& key, std::int64_t boxes, int depth);
  Boxes& insert_boxes(Graph& graph, BoxesKey const& key, MakeBoxesArgs const& args);
  Boxes& insert_pruned(Graph& graph, BoxesKey const& key, Boxes const& finer);
  static bool take_boxes(Boxes& boxes);  ///< false: there are more than there is room for
  Near const& insert_near(Graph& graph, Boxes& boxes, TreeShape const& shape, std::uint32_t few, std::int64_t sampled,
                          Parted const& parted = {});

  std::vector<Side const*> grown_of(Of of) const;
  int depth_of(int depth, int capacity, Of of) const;
  MakeBoxesArgs args_of(int depth, int capacity, Of of) const;
  Boxes& boxes_of(int depth, int capacity, Of of);
  Boxes const* finer_boxes(BoxesKey const& key) const;
  bool knows_near(Boxes const& boxes, TreeShape const& shape, std::uint32_t few, bool sampled) const;
  BlockedPoints<T> room_for_points(GpuTables const& tree, std::size_t side, bool near) const;
  void fill(Graph& graph, BoxesOnGpu const& made, GpuTables const& tree, std::size_t side, PointsInRoot<T> const& given,
            BlockedPoints<T> const& points, std::vector<std::uint32_t>& twins) const;
  Of counted() const { return &more() == &sides_[0] ? Of::sources : Of::targets; }
  void expect(int depth, std::span<ExpectedTree const> trees);
  TreeWork counted_work(int depth, int capacity, TreeSight const& sight, std::uint32_t few);

  std::shared_ptr<RuntimeState> runtime_;
  std::shared_ptr<KeptRoom> room_;
  Awake awake_;
  std::vector<Side> sides_;                ///< sources; targets if they are others
  std::vector<double> extents_;            ///< of all sides; empty: not found yet
  int level_ = 0, last_ = 0, powers_ = 0;  ///< as points were sorted
  std::map<BoxesKey, Boxes> boxes_;
};

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/kept_blocks.hpp"
#include "core/tree/moved_tree.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/workspaces.hpp"
#include "tasks/fmm/gpu/gpu_tables.hpp"
#include "tasks/nodes/owners.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace nearfar::detail {

/// Expansions of one solve, a handle for each block that has any. A solve overwrites what it finds there.
struct FmmWorkspace {
  std::vector<Data> multipoles, locals;

  Handle multipole(int block) const { return multipoles[std::size_t(block)]; }
  Handle local(int block) const { return locals[std::size_t(block)]; }
};

/// Seconds that the parts of a solve take: the basis for cutting blocks.
struct FmmGrain {
  double interaction = 1, pair = 1, expansion = 1, box = 1;
  double task = 1;       ///< seconds a task should take; infinity: each level is one
  bool on_gpus = false;  ///< that run all stages: few large blocks, and no pairs of parents, which only CPUs follow
};

/// A tree with its lists cut into blocks, and their tables as handles:
/// constant, so shared by solves, and by points that stay in their boxes.
class FmmTree {
 public:
  /// `few`: see InteractionLists. `rank`: the only one whose blocks get tables; for others, what they read is known.
  FmmTree(Tree tree, std::uint32_t few, FmmGrain const& grain, Owners const& owners = {}, Loop const& loop = in_turn,
          int rank = everywhere);
  /// The boxes of `planned`, for which lists were made, with other points:
  /// `tree`, for which the lists serve too. Shares what depends only on boxes.
  FmmTree(std::shared_ptr<FmmTree const> planned, Tree tree, Loop const& loop);
  /// What a GPU has made with `few`, see InteractionLists. `planned`: the tree
  /// that was chosen by its cost, if points have moved since.
  FmmTree(GpuTables made, std::uint32_t few, FmmTree const* planned = nullptr);
  /// The blocks of `planned`, for which lists were made, with the boxes of `tree`, which is in the same root. Lists are
  /// made anew only where boxes have come, gone, or been divided. Null if too many boxes have.
  /// Without connected ranks only.
  static std::shared_ptr<FmmTree> in_part_new(FmmTree const& planned, Tree tree, Loop const& loop);
  /// Whether every block that had sources or targets still has some, on which solves rely.
  bool fills_blocks(Tree const& moved) const;

  /// The tree that the lists were made for, if points have moved since; else null.
  std::shared_ptr<FmmTree const> const& planned() const noexcept { return planned_; }
  Tree const& tree() const noexcept { return tree_; }
  /// It has no boxes then, nor tables on the host.
  bool is_made_on_gpu() const noexcept { return tree_.levels.empty(); }
  /// Of the tree that was chosen: its boxes, and pairs of points that share a leaf, where a GPU has made it.
  std::size_t chosen_boxes() const noexcept { return chosen_boxes_; }
  /// How it is cut into parts, one for each GPU, where a GPU has made it.
  Parted const& parted() const noexcept { return parted_; }
  std::uint32_t few() const noexcept { return few_; }
  double chosen_pairs() const noexcept { return chosen_pairs_; }
  /// Whether its blocks have as many boxes, and the owners, of those of the other.
  bool has_blocks_of(FmmTree const& other) const noexcept {
    return owner_ == other.owner_ &&
           std::ranges::equal(cut_.blocks, other.cut_.blocks, {}, &TreeBlock::size, &TreeBlock::size);
  }
  int depth() const noexcept { return cut_.blocks.back().level; }
  std::size_t boxes() const noexcept;
  int top() const noexcept { return top_of(tree_.shape); }
  int blocks() const noexcept { return int(cut_.blocks.size()); }
  TreeBlock const& block(int b) const noexcept { return cut_.blocks[std::size_t(b)]; }
  LocalBox local_box(int level, int box) const noexcept {
    return cut_.local_boxes[std::size_t(level)][std::size_t(box)];
  }
  /// Drops the caller's numbers of the points: blocks of points have them.
  void drop_order() noexcept;
  BlockLists const& lists(int b) const noexcept { return lists_[std::size_t(b)]; }

  /// The rank that owns a block, and the caller's arrays. Leaves are divided along their curve,
  /// with equal work for each rank; a block of inner boxes belongs to the rank of its first leaves.
  int owner(int b) const noexcept { return owner_[std::size_t(b)]; }
  int first_owner() const noexcept { return owners_.first(); }
  /// Which of its rank's GPUs has a block, divided likewise; empty where ranks have one each, or none.
  std::vector<int> const& gpus() const noexcept { return gpu_; }
  /// Whether tasks of other ranks read what solves compute for a block.
  bool sends_multipole(int b) const noexcept { return sent_.multipole[std::size_t(b)]; }
  bool sends_local(int b) const noexcept { return sent_.local[std::size_t(b)]; }
  bool sends_strengths(int b) const noexcept { return sent_.strengths[std::size_t(b)]; }

  double half(int b) const noexcept { return tree_.half(block(b).level); }  ///< half the edge of its boxes
  bool has_multipole(int b) const noexcept { return block(b).level >= top() && block(b).sources > 0; }
  bool has_local(int b) const noexcept { return block(b).level >= top() && block(b).targets > 0; }
  bool is_source_leaves(int b) const noexcept { return block(b).of_leaves && block(b).sources > 0; }
  bool is_target_leaves(int b) const noexcept { return block(b).of_leaves && block(b).targets > 0; }

  Handle leaves(int b, Side side) const noexcept {
    Handles const& h = handles_[std::size_t(b)];
    return side == Side::sources || h.target_leaves == nullptr ? h.source_leaves : h.target_leaves;
  }
  /// The table of one stage: table(b, &BlockLists::m2l).
  Handle table(int b, Gather BlockLists::*stage) const;

  /// Total work of one stage; in a tree that was not planned, that of this rank.
  double work(Gather BlockLists::*stage) const noexcept;
  /// Blocks whose lists were made for this tree, not taken from another one.
  int blocks_with_new_lists() const noexcept { return new_lists_; }
  std::size_t table_bytes() const noexcept;

 private:
  bool is_here(std::size_t b) const noexcept { return rank_ == everywhere || owner_[b] == rank_; }
  FmmTree(FmmTree const& planned, KeptBlocks kept, Tree tree, Loop const& loop);
  void make_room();  ///< for the lists and leaves of all blocks
  void for_blocks(Loop const& loop, std::function<void(std::size_t block, Loop const& within)> const& body);
  ListStyle style() const noexcept { return {top(), !on_gpus_}; }
  void register_tables();
  void find_sent();

  struct Handles {
    Data source_leaves, target_leaves, m2m, l2l, m2l, p2p, m2p, p2l;  // some are empty in a tree that was not planned
  };

  std::shared_ptr<FmmTree const> planned_;
  Tree tree_;
  TreeBlocks cut_;
  Parted parted_;
  std::uint32_t few_ = 0;
  std::size_t chosen_boxes_ = 0;  // of the tree that was chosen by its cost
  double chosen_pairs_ = 0;
  bool on_gpus_ = false;
  int new_lists_ = 0;
  Owners owners_;
  int rank_;
  std::vector<int> owner_, gpu_;
  struct {
    std::vector<bool> multipole, local, strengths;
  } sent_;
  std::vector<BlockLists> lists_;
  std::vector<std::vector<std::int32_t>> source_leaves_, target_leaves_;
  std::shared_ptr<KeptRoom> room_;  ///< has the data of a tree made on a GPU, if not null
  std::vector<Handles> handles_;    // after the memory they refer to, so that they are destroyed first
};

/// Which blocks' expansions and strengths the tasks of one rank read or write: each
/// of a thousand ranks has handles for only a few of them. Without ranks, all.
struct FmmTouched {
  FmmTouched(FmmTree const& tree, int rank)
      : multipole(std::size_t(tree.blocks()), rank == everywhere), local(multipole), strengths(multipole) {
    if (rank == everywhere) return;
    auto const add = [](std::vector<bool>& touched, std::vector<std::int32_t> const& blocks) {
      for (std::int32_t b : blocks) touched[std::size_t(b)] = true;
    };
    for (int b = 0; b < tree.blocks(); ++b) {
      if (tree.owner(b) != rank) continue;
      multipole[std::size_t(b)] = local[std::size_t(b)] = strengths[std::size_t(b)] = true;
      BlockLists const& lists = tree.lists(b);
      for (Gather const* gather : {&lists.m2m, &lists.m2l, &lists.m2p}) add(multipole, gather->blocks);
      add(local, lists.l2l.blocks);
      for (Gather const* gather : {&lists.p2p, &lists.p2l}) add(strengths, gather->blocks);
    }
  }

  std::vector<bool> multipole, local, strengths;
};

/// The work spaces of a tree, for any number of right-hand sides.
template <class T>
class FmmWorkspaces {
 public:
  FmmWorkspace& workspace_for(SolveState const& solve, FmmTree const& tree, int order, int rhs);

 private:
  std::map<int, Workspaces<FmmWorkspace>> by_rhs_;
};

}  // namespace nearfar::detail

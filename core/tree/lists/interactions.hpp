// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tree.hpp"

#include <span>

namespace nearfar {

/// A source box as a target box sees it: in the cell, or in one of its images.
struct SeenBox {
  std::int32_t level, box;  ///< number of the level, number on it
  std::int32_t image[3];    ///< by how many cells it is shifted

  /// Its place on its level, unwrapped.
  std::int32_t at(Tree const& tree, int d) const noexcept {
    return tree.levels[std::size_t(level)][std::size_t(box)].at[d] + image[d] * (1 << level);
  }
};

/// What a target box gathers from (fmm.md, Sec. 3.2, after Cheng, Greengard and Rokhlin): every source point reaches
/// every target point exactly once, through one of the lists of the target's leaf or of the boxes that hold it. To be
/// used for one box after the other, since memory stays.
struct Interactions {
  std::vector<SeenBox> u;  ///< of a leaf: leaves of any size that are near                       -> P2P
  std::vector<SeenBox> v;  ///< of one level, parents near, themselves not                        -> M2L
  std::vector<SeenBox> w;  ///< of a leaf: smaller boxes, not near by their own size, parents are -> M2P
  std::vector<SeenBox> x;  ///< larger leaves, not near by the size of this box, to its parent yes -> P2L
  /// What is near: boxes of its level, and leaves of upper ones.
  std::vector<SeenBox> same_level, larger;
};

/// Which lists are kept: those of inner boxes, which their children need, or none, if few lists are asked for.
enum class KeptLists { inner, none };

/// The lists of all boxes of a tree, for any separation, adaptive or not,
/// periodic or not. Lists that are not kept are computed when asked for.
class InteractionLists {
 public:
  /// Where P2P is cheaper, leaves go into U instead of W and X: those in boxes of W with at most `few` sources, and X
  /// of boxes with at most `few` targets, for each leaf in them.
  explicit InteractionLists(Tree const& tree, std::uint32_t few = 0, KeptLists kept = KeptLists::inner,
                            Loop const& loop = in_turn);

  /// The lists of one box that has targets; clears `out` first.
  void of(int level, int box, Interactions& out) const;

 private:
  /// What is near the boxes of a level, one after the other.
  struct NearBoxes {
    std::vector<std::size_t> first;  ///< of each box, and one more
    std::vector<SeenBox> seen;

    void end_box() { first.push_back(seen.size()); }
    void append(NearBoxes const& next);
    std::span<SeenBox const> of(std::size_t box) const {
      return std::span(seen).subspan(first[box], first[box + 1] - first[box]);
    }
  };
  /// What is near the parent of a box.
  struct Near {
    std::span<SeenBox const> same_level, larger;
  };
  /// Where what is found of a box goes: null what is not wanted.
  struct Found {
    std::vector<SeenBox>&same_level, &larger, *v, *x;
  };

  void find(int level, int box, Found const& found) const;
  void separate(int level, int box, Near const& parent, Found const& found) const;
  void descend(TreeBox const& target, int level, SeenBox const& inner, Interactions& out) const;
  bool is_near(TreeBox const& box, int level, SeenBox const& other) const;

  Tree const& tree_;
  std::uint32_t few_;
  std::vector<NearBoxes> same_level_, larger_;  // of the inner boxes of each level
};

}  // namespace nearfar

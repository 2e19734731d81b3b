// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// The lists of a tree as tasks read them: 32-bit words, one table for each block of boxes and stage. A block's boxes
/// are known by their local index; other blocks are known by their place among the buffers of the task.

/// One box of a leaf block: its place on its level, and its points among those of the block.
struct Leaf {
  std::int32_t at[3];
  std::int32_t first, last;
};

/// The interactions number first .. first + count have one operator: a displacement (M2L) or an octant (M2M, L2L).
struct Run {
  std::int32_t key, first, count;
};
/// From the box of local index `local` of buffer `buffer` to that of index `target` of the block that is written.
struct Interaction {
  std::int32_t target, buffer, local;
};

/// The children of two parents near each other, by octants as they are after mirrorings that leave no component of the
/// way from the source's to the target's parent negative. -1: none.
struct ParentPairs {
  std::int32_t mirrored;  ///< directions, as bits of an octant
  std::int32_t target[8], buffer[8], local[8];
};
/// The parent pairs number first .. first + count have parents one (mirrored) way apart, `key`. `sources`, `targets`:
/// octants that any of them have, as bits.
struct ParentPairRun {
  std::int32_t key, first, count, sources, targets;
};
/// The way from a child of octant `source` to one of octant `target`, where that from parent to parent is `d`; true if
/// the children are not near.
NEARFAR_FUNCTION bool far_parent_pairs(int const d[3], int source, int target, int separation, int way[3]) {
  bool result = false;
  for (int k = 0; k < 3; ++k) {
    way[k] = 2 * d[k] + (target >> (2 - k) & 1) - (source >> (2 - k) & 1);
    result = result || way[k] > separation || way[k] < -separation;
  }
  return result;
}

/// Words: runs, interactions, runs of parent pairs, parent pairs; then the runs; the interactions; the runs of parent
/// pairs; the parent pairs; and where there are parent pairs how many interactions of each run, its first ones, they do
/// not have. Cousins repeat interactions of the runs, so that these can be followed alone.
class RunTable {
 public:
  NEARFAR_FUNCTION explicit RunTable(std::int32_t const* words) : words_(words) {}

  static constexpr int head = 4;
  NEARFAR_FUNCTION int runs() const { return words_[0]; }
  NEARFAR_FUNCTION int interactions() const { return words_[1]; }
  NEARFAR_FUNCTION int parent_pair_runs() const { return words_[2]; }
  NEARFAR_FUNCTION Run const& run(int i) const { return reinterpret_cast<Run const*>(words_ + head)[i]; }
  NEARFAR_FUNCTION Interaction const& interaction(int i) const {
    return reinterpret_cast<Interaction const*>(words_ + head + 3 * runs())[i];
  }
  NEARFAR_FUNCTION ParentPairRun const& parent_pair_run(int i) const {
    return reinterpret_cast<ParentPairRun const*>(words_ + after_interactions())[i];
  }
  NEARFAR_FUNCTION ParentPairs const& parent_pairs(int i) const {
    return reinterpret_cast<ParentPairs const*>(words_ + after_interactions() + 5 * words_[2])[i];
  }
  /// Run i without the interactions of parent pairs.
  NEARFAR_FUNCTION Run loose(int i) const {
    Run run = this->run(i);
    if (words_[2] > 0) run.count = words_[after_interactions() + 5 * words_[2] + 25 * words_[3] + i];
    return run;
  }

 private:
  NEARFAR_FUNCTION int after_interactions() const { return head + 3 * (runs() + interactions()); }

  std::int32_t const* words_;
};

/// The items first .. first + count belong to one target.
struct Range {
  std::int32_t first, count;
};
/// Points first .. last of source block `buffer`, in the image `image` (in edges of the cell).
struct PointRun {
  std::int32_t buffer, first, last, image[3];
};
/// A box far away: its local index in buffer `buffer`, and its place on its level, which may lie in another image.
struct FarBox {
  std::int32_t buffer, local, level, at[3];
};

/// The pieces number first .. first of the next leaf, into which GPUs cut the pairs of a leaf in P2P: parts of its
/// targets, each `splits` times, with another part of its sources each time.
struct LeafCut {
  std::int32_t first, splits, sources;
};
/// Of a task's pairs a piece has about this part, so that there are some for each place that a large GPU has for a
/// block of threads; of targets it has at most so many.
inline constexpr int pair_pieces = 1500, piece_targets = 64;
/// That a task has at most.
NEARFAR_FUNCTION int max_pair_pieces(int leaves, int targets) {
  return leaves + 2 * pair_pieces + targets / piece_targets;
}

/// Words: targets, items, 0, 0; then a Range for each target; then the items (PointRun or FarBox); of PointRuns for P2P
/// also a LeafCut for each target, and one more.
template <class Item>
class PairTable {
 public:
  NEARFAR_FUNCTION explicit PairTable(std::int32_t const* words) : words_(words) {}

  static constexpr int head = 4;
  NEARFAR_FUNCTION int targets() const { return words_[0]; }
  NEARFAR_FUNCTION int items() const { return words_[1]; }
  NEARFAR_FUNCTION Range const& range(int target) const {
    return reinterpret_cast<Range const*>(words_ + head)[target];
  }
  NEARFAR_FUNCTION Item const& item(int i) const {
    return reinterpret_cast<Item const*>(words_ + head + 2 * targets())[i];
  }
  NEARFAR_FUNCTION LeafCut const& cut(int target) const {
    return reinterpret_cast<LeafCut const*>(words_ + head + 2 * targets() + 6 * items())[target];
  }

 private:
  static_assert(sizeof(Item) == 6 * sizeof(std::int32_t));
  std::int32_t const* words_;
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// The lists of a tree as tasks read them: 32-bit words, one table for each block and stage. Boxes of the
/// block are identified by their local index, other blocks by their position among the buffers of the task.

/// One box of a leaf block: its place on its level, and the range of its points within the block.
struct Leaf {
  std::int32_t at[3];
  std::int32_t first, last;
};

/// The interactions first .. first + count, which have one operator: a displacement (M2L) or an octant (M2M, L2L).
struct Run {
  std::int32_t key, first, count;
};
/// From box `local` of buffer `buffer` to box `target` of the block that is written (local indices).
struct Interaction {
  std::int32_t target, buffer, local;
};

/// The children of two near parents, by octant, after mirroring that makes every component
/// of the displacement from the source's to the target's parent non-negative. -1: none.
struct ParentPairs {
  std::int32_t mirrored;  ///< directions, as the bits of an octant
  std::int32_t target[8], buffer[8], local[8];
};
/// The parent pairs first .. first + count, whose parents have one (mirrored)
/// displacement, `key`. `sources`, `targets`: octants that occur in any of them, as bits.
struct ParentPairRun {
  std::int32_t key, first, count, sources, targets;
};
/// The displacement from a child of octant `source` to one of octant `target`,
/// given the displacement `d` of their parents; true if the children are not near.
NEARFAR_FUNCTION bool far_parent_pairs(int const d[3], int source, int target, int separation, int way[3]) {
  bool result = false;
  for (int k = 0; k < 3; ++k) {
    way[k] = 2 * d[k] + (target >> (2 - k) & 1) - (source >> (2 - k) & 1);
    result = result || way[k] > separation || way[k] < -separation;
  }
  return result;
}

/// Words: the numbers of runs, interactions, runs of parent pairs, and parent pairs; then these four lists;
/// and if there are parent pairs, for each run how many of its interactions, which come first, are in no
/// parent pair. Parent pairs repeat interactions of the runs, so that the runs can also be followed alone.
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
  /// Run i without the interactions that are in parent pairs.
  NEARFAR_FUNCTION Run loose(int i) const {
    Run run = this->run(i);
    if (words_[2] > 0) run.count = words_[after_interactions() + 5 * words_[2] + 25 * words_[3] + i];
    return run;
  }

 private:
  NEARFAR_FUNCTION int after_interactions() const { return head + 3 * (runs() + interactions()); }

  std::int32_t const* words_;
};

/// The items first .. first + count of one target.
struct Range {
  std::int32_t first, count;
};
/// The points first .. last of source block `buffer`, in the image `image` (in edges of the cell).
struct PointRun {
  std::int32_t buffer, first, last, image[3];
};
/// A far box: its local index in buffer `buffer`, and its place on its level, possibly in another image.
struct FarBox {
  std::int32_t buffer, local, level, at[3];
};

/// The pieces, from `first` to that of the next leaf, into which GPUs cut the pairs of a leaf in
/// P2P: parts of its targets, each repeated `splits` times with a different part of its sources.
struct LeafCut {
  std::int32_t first, splits, sources;
};
/// A piece has about this fraction of a task's pairs, so that there are several
/// for each thread block that a large GPU can hold; and at most so many targets.
inline constexpr int pair_pieces = 1500, piece_targets = 64;
/// Upper limit for the pieces of a task.
NEARFAR_FUNCTION int max_pair_pieces(int leaves, int targets) {
  return leaves + 2 * pair_pieces + targets / piece_targets;
}

/// Words: the numbers of targets and items, 0, 0; then a Range for each target; then the items
/// (PointRun or FarBox); and for the PointRuns of P2P a LeafCut for each target, and one more.
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

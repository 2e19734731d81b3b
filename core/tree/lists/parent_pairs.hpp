// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tables.hpp"
#include "core/tree/vectors.hpp"

#include <cstdint>
#include <vector>

namespace nearfar {

/// Finds pairs of near parents most of whose children interact,
/// while the interactions of a block are made. Places are unwrapped.
class ParentPairFinder {
 public:
  explicit ParentPairFinder(int separation);

  /// The next interactions are with the target box at `at`, of local index `local`.
  void next_target(std::int32_t const at[3], std::int32_t local);

  /// Adds an interaction from the box at `from`, which is box `local`
  /// of block `block`. Returns the number of the pair of parents.
  std::int32_t add(std::int32_t const from[3], std::int32_t block, std::int32_t local) {
    std::int32_t const parent[3] = {from[0] >> 1, from[1] >> 1, from[2] >> 1};
    if (number_ < 0 || parent[0] != from_[0] || parent[1] != from_[1] || parent[2] != from_[2]) open(parent);
    Pair& pair = pairs_[std::size_t(number_)];
    int const s = octant_of(from[0], from[1], from[2]) ^ pair.parent_pairs.mirrored;
    ++pair.interactions;
    pair.sources |= 1 << s;
    pair.parent_pairs.buffer[s] = block;
    pair.parent_pairs.local[s] = local;
    return number_;
  }

  /// After the last interaction: keeps the pairs that have most of their possible interactions,
  /// provided that these are most interactions of the block. Sparse blocks are faster without.
  void close();

  /// After close(): whether the pair is kept; all kept pairs, by key, with block numbers in place of buffers.
  bool keeps(std::int32_t pair) const { return kept_[std::size_t(pair)] != 0; }
  std::vector<ParentPairRun> const& runs() const { return runs_; }
  std::vector<ParentPairs> const& parent_pairs() const { return parent_pairs_; }

 private:
  struct Pair {
    std::int32_t key, interactions, sources, targets;
    ParentPairs parent_pairs;
  };
  void open(std::int32_t const parent[3]);
  bool is_full(Pair const& pair) const;

  int separation_;
  std::int32_t to_[3] = {-1, -1, -1}, from_[3] = {}, octant_ = 0, local_ = 0;  // the current parents and target
  std::int32_t number_ = -1;                                                   // the current pair
  std::vector<std::int32_t> known_;  // pairs of the target's parent, by displacement; or -1
  std::vector<Pair> pairs_;
  std::vector<char> kept_;  // by pair
  std::vector<ParentPairRun> runs_;
  std::vector<ParentPairs> parent_pairs_;
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tables.hpp"

#include <cstdint>
#include <vector>

namespace nearfar {

/// Finds pairs of parents near each other most of whose children have links, while the links of a block are made.
class CousinFinder {
 public:
  explicit CousinFinder(int separation);

  /// The next targets have another parent.
  void next_parent();

  /// A link of the box at `at` to slot `target` from the box at `from`, which is slot `slot` of block `block`; places
  /// are unwrapped. Returns the number of the pair of their parents.
  std::int32_t add(std::int32_t const at[3], std::int32_t target, std::int32_t const from[3], std::int32_t block,
                   std::int32_t slot);

  /// Once all links are there: keeps the pairs that have most of the links they could have, if these are most links of
  /// the block. Sparse blocks are better off without.
  void close();

  /// After close(): whether the pair is kept; all that are, by key; their buffers are blocks yet.
  bool keeps(std::int32_t pair) const { return pairs_[std::size_t(pair)].kept; }
  std::vector<CousinRun> const& runs() const { return runs_; }
  std::vector<Cousins> const& cousins() const { return cousins_; }

 private:
  struct Pair {
    std::int32_t key, links, sources, targets;
    bool kept;
    Cousins cousins;
  };
  bool is_full(Pair const& pair) const;

  int separation_;
  std::vector<std::int32_t> open_;  // by way from parent to parent: the pair of the present one, or -1
  std::vector<Pair> pairs_;
  std::vector<CousinRun> runs_;
  std::vector<Cousins> cousins_;
};

}  // namespace nearfar

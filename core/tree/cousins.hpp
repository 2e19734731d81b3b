// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tables.hpp"

#include <cstdint>
#include <vector>

namespace nearfar {

/// Finds the pairs of parents near each other most of whose children have links, while the links of a block are made.
class CousinFinder {
 public:
  explicit CousinFinder(int separation);

  /// The next targets have another parent.
  void next_parent();

  /// Of the box at `at` to slot `target` from the box at `from`, which is slot `slot` of buffer or block `buffer`.
  /// Places are unwrapped.
  void add(std::int32_t const at[3], std::int32_t target, std::int32_t const from[3], std::int32_t buffer,
           std::int32_t slot);

  /// Once all links are added: leaves out those pairs that have few links of all that they could.
  void close();
  /// Whether the link that was added as number `link` belongs to cousins.
  bool has(std::size_t link) const { return kept_[std::size_t(pair_of_[link])] >= 0; }
  std::vector<CousinRun> const& runs() const { return runs_; }
  std::vector<Cousins> const& cousins() const { return sorted_; }

 private:
  struct Pair {
    std::int32_t key, links, sources, targets;
    Cousins cousins;
  };
  bool is_full(Pair const& pair) const;

  int separation_;
  std::vector<std::int32_t> open_;     // by way from parent to parent: the pair of the present parent, or -1
  std::vector<Pair> pairs_;
  std::vector<std::int32_t> pair_of_;  // link
  std::vector<std::int32_t> kept_;     // pair; -1 if not
  std::vector<CousinRun> runs_;
  std::vector<Cousins> sorted_;
};

}  // namespace nearfar

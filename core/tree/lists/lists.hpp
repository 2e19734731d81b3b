// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/blocks.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// What one block gathers in one stage: the table of its task (core/tree/tables.hpp),
/// the blocks it reads in the order of the buffers, and the amount of work.
struct Gather {
  std::vector<std::int32_t> words;
  std::vector<std::int32_t> blocks;
  double work = 0;  ///< interactions, pairs of points, or points times expansions

  bool empty() const noexcept { return blocks.empty(); }
};

/// The lists of one block for every stage.
struct BlockLists {
  Gather m2m, l2l, m2l;  ///< RunTable
  Gather p2p, m2p, p2l;  ///< PairTable
};

/// How large the lists of one box are: the basis for cutting blocks.
struct BoxWork {
  double interactions = 0;  ///< M2L
  double pairs = 0;         ///< P2P
  double expansions = 0;    ///< M2P and P2L: points times expansions
};

BoxWork work_of(Tree const& tree, InteractionLists const& lists, int level, int box);

/// How lists are made: local expansions begin at level `top`; with pairs of parents, which only CPUs follow, or
/// without.
struct ListStyle {
  int top = 0;
  bool parent_pairs = true;
};

/// The lists of block number `block`, the same whatever the loop.
BlockLists lists_of(Tree const& tree, InteractionLists const& lists, TreeBlocks const& blocks, int block,
                    ListStyle const& style, Loop const& loop = in_turn);

/// Appends to a table for P2P how GPUs cut its leaves into pieces with about equally many
/// pairs, given the `targets` of each leaf and the number of `sources` that it sees.
void append_cuts(Gather& gather, std::vector<double> const& targets, std::vector<double> const& sources);

/// The first level with local expansions: above it, all boxes of a level are near each other.
constexpr int top_of(TreeShape const& shape) noexcept { return shape.periodic ? 0 : 2; }

/// The leaf table of a block: places of its boxes, and the ranges of their sources or targets within the block.
enum class Side { sources, targets };
std::vector<std::int32_t> leaf_table(Tree const& tree, TreeBlock const& block, Side side);

}  // namespace nearfar

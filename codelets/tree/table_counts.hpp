// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/box_walk.hpp"

namespace nearfar {

/// Stages whose tasks read several blocks: which ones is found with the lists.
enum class ReadBy { m2m, l2l, m2l, p2p, m2p, p2l };
inline constexpr int readers = 6;

/// Where the lists of a tree are counted, and what of it the host needs. Counts of all lists of one kind follow each
/// other, and are added up together: a list begins with what is before it.
struct TableCounts {
  BoxCounts counts;
  int top;  ///< the first level with expansions
  std::int32_t* memory;
  std::uint64_t* totals;
  std::int32_t* pieces = nullptr;  ///< of each leaf of one part

  NEARFAR_FUNCTION int blocks() const { return 2 * (counts.depth + 1) * counts.parts; }

  /// Levels on which leaves of U are looked for, each for itself: a run is on one.
  NEARFAR_FUNCTION int levels() const { return counts.on_one_level() ? 1 : counts.depth + 1; }
  NEARFAR_FUNCTION int level(std::int64_t l, int own) const { return levels() == 1 ? own : int(l); }
  NEARFAR_FUNCTION std::int64_t all_runs() const { return std::int64_t(levels()) * counts.all_leaves(); }
  /// Near boxes in each of which W is looked for.
  NEARFAR_FUNCTION int near() const { return counts.on_one_level() ? 1 : counts.near(); }
  NEARFAR_FUNCTION std::int64_t all_near() const { return std::int64_t(near()) * counts.all_leaves(); }

  // memory: of each run table [key][range] and [key], of each leaf and level, and near box, of each leaf, of each box;
  // OrderNear
  std::int64_t interactions = 0, keys = 0;  ///< of all run tables
  NEARFAR_FUNCTION std::int32_t* run_numbers() const { return memory + interactions + 1; }
  NEARFAR_FUNCTION std::int32_t* runs() const { return run_numbers() + keys + 1; }            ///< [leaf][level]
  NEARFAR_FUNCTION std::int32_t* far() const { return runs() + all_runs() + 1; }              ///< W: [leaf][near box]
  NEARFAR_FUNCTION std::int32_t* seen() const { return far() + all_near() + 1; }              ///< sources in U
  NEARFAR_FUNCTION std::int32_t* x_runs() const { return seen() + counts.all_leaves() + 1; }  ///< of each box
  NEARFAR_FUNCTION std::int32_t* x_seen() const { return x_runs() + counts.all() + 1; }       ///< sources in X
  NEARFAR_FUNCTION std::uint8_t* near_order() const {
    return reinterpret_cast<std::uint8_t*>(x_seen() + counts.all() + 1);
  }
  std::int64_t words() const {
    std::int64_t const near = std::int64_t(counts.all()) * counts.near();
    return (near + 3) / 4 + interactions + 1 + keys + 1 + all_runs() + 1 + all_near() + 1 +
           std::int64_t(counts.all_leaves()) + 1 + 2 * (std::int64_t(counts.all()) + 1);
  }

  NEARFAR_FUNCTION std::int32_t* runs_of(std::int64_t leaf) const { return runs() + levels() * leaf; }
  NEARFAR_FUNCTION std::int32_t* far_of(std::int64_t leaf) const { return far() + near() * leaf; }
  NEARFAR_FUNCTION std::int32_t runs_between(std::int64_t leaf, std::int64_t leaves) const {
    return *runs_of(leaf + leaves) - *runs_of(leaf);
  }

  // totals: of each run table interactions and runs; of each block Block; of each block and reader the blocks that are
  // read
  int lists = 0;
  struct Block {
    std::uint64_t runs, pairs, far, to_points;  ///< of leaves
    std::uint64_t x_runs, to_locals;
    std::uint64_t sources, targets;
  };
  NEARFAR_FUNCTION std::uint64_t* of_list(int list) const { return totals + 2 * list; }
  NEARFAR_FUNCTION Block& of_block(int block) const { return reinterpret_cast<Block*>(totals + 2 * lists)[block]; }
  NEARFAR_FUNCTION int place_of_reads(ReadBy reader, int block, int other) const {
    constexpr int numbers_of_block = sizeof(Block) / sizeof(std::uint64_t);
    return 2 * lists + numbers_of_block * blocks() + (int(reader) * blocks() + block) * blocks() + other;
  }
  /// While lists are counted whether a block is read; then its place, from 1 on, among those that a task reads. 0: not.
  NEARFAR_FUNCTION std::uint64_t& reads(ReadBy reader, int block, int other) const {
    return totals[place_of_reads(reader, block, other)];
  }
  /// By any number of threads: all write the same.
  NEARFAR_FUNCTION void mark_read(ReadBy reader, int block, int other) const {
    if (std::uint64_t& read = reads(reader, block, other); read == 0) read = 1;
  }
  int numbers() const { return place_of_reads(ReadBy(readers), 0, 0); }
  /// The place of a block among those that a task reads.
  NEARFAR_FUNCTION std::int32_t buffer(ReadBy reader, int block, int other) const {
    return std::int32_t(reads(reader, block, other)) - 1;
  }
};

/// The places of the blocks that tasks of one stage read for one block.
struct NumberReads {
  TableCounts tables;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::uint64_t* const row = &tables.reads(ReadBy(0), int(i), 0);
    std::uint64_t place = 0;
    for (int other = 0; other < tables.blocks(); ++other)
      if (row[other] != 0) row[other] = ++place;
  }
};

}  // namespace nearfar

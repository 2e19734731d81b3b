// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "codelets/tree/cut_parts.hpp"
#include "codelets/tree/table_counts.hpp"
#include "core/tree/root_place.hpp"
#include "core/tree/tree.hpp"

namespace nearfar {

// A tree made where its points are: what loops of core/tree make on CPUs, the same boxes and tables. Only numbers of
// boxes and interactions go to the host.

struct FindExtentArgs {
  std::int64_t points = 0;
  RowCut cut{};  ///< of their rows into arrays
};
/// Where the points are.
template <class T>
struct FindExtent {
  using Args = FindExtentArgs;
  using Accesses = AccessList<ReadMany,  // the caller's points, rows of 3
                              Write>;    // extent_numbers doubles
  static constexpr char const* name = "extent";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct SortCurveArgs {
  RootPlace place;
  TreeShape shape;  ///< around 0
  std::int64_t points = 0;
  int level = 0;   ///< of the keys
  int last = 0;    ///< depths up to this one are looked at; -1: none
  int powers = 0;  ///< of two, for which CrowdsAtPoint looks
  RowCut cut{};    ///< as in FindExtent
};
/// Points along the Morton curve.
template <class T>
struct SortCurve {
  using Args = SortCurveArgs;
  using Accesses = AccessList<ReadMany,   // the caller's points, rows of 3
                              WriteMany,  // keys in order; the row of each
                              Write>;  // for each depth boxes, pairs that share one, squares of siblings; CrowdsAtPoint
  static constexpr char const* name = "curve";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct MakeBoxesArgs {
  std::int64_t sources = 0, targets = 0;           ///< no targets if they are the sources
  int level = 0;                                   ///< of the keys
  int depth = 0, capacity = 0;                     ///< as in TreeShape
  std::int32_t room = 0;                           ///< for so many boxes
  std::int32_t most[BoxCounts::most_levels] = {};  ///< boxes that there may be on each level
};
/// Boxes, level by level.
struct MakeBoxes {
  using Args = MakeBoxesArgs;
  using Accesses = AccessList<ReadMany,   // keys of the sources, and of the targets if they are others
                              WriteMany,  // BoxArrays
                              Write>;     // as TakeLevel says (grow_tree.hpp), and pairs of points that share a leaf
  static constexpr char const* name = "boxes";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct PruneBoxesArgs {
  BoxCounts counts;       ///< of the given tree
  int capacity = 0;       ///< of the new one
  std::int32_t room = 0;  ///< for so many boxes
};
/// Boxes of a tree with larger leaves.
struct PruneBoxes {
  using Args = PruneBoxesArgs;
  using Accesses = AccessList<ReadMany,   // as MakeBoxes writes them
                              WriteMany,  // the same of the new tree
                              Write>;     // its numbers, as MakeBoxes writes them for a tree of the given one's depth
  static constexpr char const* name = "prune";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct FindNearArgs {
  BoxCounts counts;
  std::uint32_t few = 0;    ///< as in BoxWalk
  std::int64_t points = 0;  ///< of which some are looked at; 0: no sample is taken
  PartsWanted parts{};
};
/// Which boxes are near each other, what a sample of them sees, and where parts begin.
struct FindNearBoxes {
  using Args = FindNearArgs;
  using Accesses = AccessList<ReadMany,   // as MakeBoxes writes them
                              WriteMany,  // boxes block by block, near boxes, PartBegins if there are several
                              Write>;     // of the sample (sampled_tree.hpp); PartNumbers
  static constexpr char const* name = "near_boxes";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};
/// Numbers of the sample, 0 if none is taken; and of all that the host gets, 1 at least.
std::int64_t numbers_of_sample(FindNearArgs const& args);
std::int64_t numbers_of_near(FindNearArgs const& args);

struct CountListsArgs {
  BoxCounts counts;
  int top = 0;  ///< the first level with expansions
  std::uint32_t few = 0;
  PartBegins parts{};
};
/// How long all lists are.
struct CountLists {
  using Args = CountListsArgs;
  using Accesses = AccessList<ReadMany,   // as MakeBoxes writes them
                              ReadMany,   // as FindNearBoxes writes them
                              WriteMany,  // counts (table_counts.hpp), totals
                              Write>;     // the totals again, for the host
  static constexpr char const* name = "lists";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};
/// To read its totals, and for the room that counts need.
TableCounts counts_of_tables(CountListsArgs const& args, std::uint64_t* totals);

struct MakeTablesArgs {
  CountListsArgs lists;
  int part = 0;
  std::uint64_t m2p = 0, p2l = 0;  ///< blocks of the part with some, as bits

  static std::uint64_t bit(BoxBlock const& block) { return std::uint64_t(1) << (2 * block.level + block.of_leaves); }
  static bool has(std::uint64_t blocks, BoxBlock const& block) { return (blocks & bit(block)) != 0; }
};
/// The tables of the blocks of a part: for each level with leaves those of sources, of targets if they are others, of
/// P2P and of M2P if there is any; for each block with some that of P2L, after the places of inner boxes; then each run
/// table.
struct MakeTables {
  using Args = MakeTablesArgs;
  using Accesses = AccessList<ReadMany,    // as MakeBoxes writes them
                              ReadMany,    // as FindNearBoxes writes them
                              ReadMany,    // as CountLists writes them
                              WriteMany>;  // tables
  static constexpr char const* name = "tables";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct FillLeavesArgs {
  RootPlace place;
  std::int64_t points = 0;  ///< all
  BoxCounts counts;
  bool targets = false, find_twins = false;
  RowCut cut{};  ///< as in FindExtent
  int blocks = 0;
  struct Block {
    std::int32_t points = 0;             ///< in its leaves
    std::int32_t begin = 0;              ///< of its leaves among the boxes block by block
  } block[BoxCounts::most_levels] = {};  ///< blocks of leaves with points
};
/// Points in the order of the leaves of some blocks.
template <class T>
struct FillLeaves {
  using Args = FillLeavesArgs;
  using Accesses =
      AccessList<ReadMany,   // the caller's points, rows of 3
                 ReadMany,   // as SortCurve writes them
                 ReadMany,   // as MakeBoxes writes them
                 ReadMany,   // as FindNearBoxes writes them
                 WriteMany,  // of each block offsets of leaves, rows, positions; near ones where they differ
                 Write>;     // for each block 1 if two points coincide
  static constexpr char const* name = "fill_leaves";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar

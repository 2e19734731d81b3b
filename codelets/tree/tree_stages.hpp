// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/tree/table_counts.hpp"
#include "core/tree/root_place.hpp"
#include "core/tree/tree.hpp"

namespace nearfar {

// A tree made where its points are: what loops of core/tree make on CPUs, the same boxes and tables. Only numbers of
// boxes and interactions go to the host.

struct FindExtentArgs {
  std::int64_t points = 0;
};
/// Where the points are.
template <class T>
struct FindExtent {
  using Args = FindExtentArgs;
  using Accesses = AccessList<Read,    // the caller's points, rows of 3
                              Write>;  // extent_numbers doubles
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
  int last = 0;    ///< depths up to this one are looked at
  int powers = 0;  ///< of two, for which PartCrowds looks
};
/// Points along the Morton curve.
template <class T>
struct SortCurve {
  using Args = SortCurveArgs;
  using Accesses = AccessList<Read,       // the caller's points, rows of 3
                              WriteMany,  // keys in order; the row of each
                              Write>;     // for each depth boxes, pairs that share one, squares of siblings; PartCrowds
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

struct FindNearArgs {
  BoxCounts counts;
  std::uint32_t few = 0;    ///< as in BoxWalk
  std::int64_t points = 0;  ///< of which some are looked at; 0: no sample is taken
};
/// Which boxes are near each other, and what a sample of them sees.
struct FindNearBoxes {
  using Args = FindNearArgs;
  using Accesses = AccessList<ReadMany,   // as MakeBoxes writes them
                              WriteMany,  // boxes block by block, near boxes
                              Write>;     // of the sample (sampled_tree.hpp)
  static constexpr char const* name = "near_boxes";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};
/// Numbers of the sample.
std::int64_t numbers_of_sample(FindNearArgs const& args);

struct CountListsArgs {
  BoxCounts counts;
  int top = 0;  ///< the first level with expansions
  std::uint32_t few = 0;
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
  double pairs[BoxCounts::most_levels] = {};  ///< of points in P2P, of each level
  std::uint32_t m2p = 0;                      ///< levels with some, as bits
  std::uint64_t p2l = 0;                      ///< blocks with some
};
/// The tables of all blocks: for each level with leaves those of sources, of targets if they are others, of P2P and of
/// M2P if there is any; for each block with some that of P2L, after the places of inner boxes; then each run
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
  std::int64_t points = 0, of_level = 0;  ///< all; those in leaves of this level
  BoxCounts counts;
  int level = 0;
  bool targets = false, find_twins = false;
};
/// Points in the order of the leaves of a level.
template <class T>
struct FillLeaves {
  using Args = FillLeavesArgs;
  using Accesses = AccessList<Read,       // the caller's points, rows of 3
                              ReadMany,   // as SortCurve writes them
                              ReadMany,   // as MakeBoxes writes them
                              ReadMany,   // as FindNearBoxes writes them
                              WriteMany,  // offsets of leaves, rows, positions; near ones where they differ
                              Write>;     // 1 if two points coincide
  static constexpr char const* name = "fill_leaves";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/tree/uniform_boxes.hpp"
#include "core/tree/root_place.hpp"
#include "core/tree/tree.hpp"

namespace nearfar {

// A tree whose leaves are all on one level, made where its points are: what loops of core/tree make on CPUs, the same
// boxes and tables. Only numbers of boxes and interactions go to the host.

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
  int level = 0;  ///< of the keys
  int last = 0;   ///< depths up to this one are looked at
};
/// Points along the Morton curve.
template <class T>
struct SortCurve {
  using Args = SortCurveArgs;
  using Accesses = AccessList<Read,       // the caller's points, rows of 3
                              WriteMany,  // keys in order; the row of each
                              Write>;     // for each depth occupied boxes, pairs that share one, squares of siblings
  static constexpr char const* name = "curve";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct FindLeavesArgs {
  std::int64_t points = 0;
  int level = 0, depth = 0;  ///< of keys and leaves
};
struct FindLeaves {
  using Args = FindLeavesArgs;
  using Accesses = AccessList<Read,        // keys
                              WriteMany>;  // the key of each leaf; where its points begin, and the end
  static constexpr char const* name = "leaves";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct MakeBoxesArgs {
  BoxCounts counts;
  int top = 0;  ///< the first level with expansions
};
/// Boxes, and how many interactions they have.
struct MakeBoxes {
  using Args = MakeBoxesArgs;
  using Accesses = AccessList<ReadMany,   // as FindLeaves writes them
                              WriteMany,  // BoxArrays; counts that MakeTables reads
                              Write>;     // interactions and runs of each list; runs of points and pairs
  static constexpr char const* name = "boxes";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};
/// Numbers that its counts and totals need room for.
std::int64_t words_of_counts(MakeBoxesArgs const& args);
int lists_of_tree(MakeBoxesArgs const& args);

struct MakeTablesArgs {
  BoxCounts counts;
  int top = 0;
  double pairs = 0;  ///< of points in P2P
};
/// The tables of all blocks: one of leaves, and above it one for each level.
struct MakeTables {
  using Args = MakeTablesArgs;
  using Accesses = AccessList<ReadMany,    // as FindLeaves writes them
                              ReadMany,    // as MakeBoxes writes them
                              WriteMany>;  // leaves, P2P, and each list
  static constexpr char const* name = "tables";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct FillLeavesArgs {
  RootPlace place;
  std::int64_t points = 0;
  bool find_twins = false;
};
/// Points in the order of their leaves.
template <class T>
struct FillLeaves {
  using Args = FillLeavesArgs;
  using Accesses = AccessList<Read,       // the caller's points, rows of 3
                              ReadMany,   // as SortCurve writes them
                              Read,       // where the points of each leaf begin
                              WriteMany,  // offsets of leaves, rows, positions; near ones where they differ
                              Write>;     // 1 if two points coincide
  static constexpr char const* name = "fill_leaves";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar

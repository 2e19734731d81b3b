// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/leaf_pieces.hpp"
#include "codelets/fmm/point_runs.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

/// Pointers of a task.
template <class T>
struct FmmP2PLaunch {
  FmmP2PArgs args;
  Leaf const* leaf = nullptr;
  std::int32_t const* table = nullptr;
  T const* target = nullptr;
  T* result = nullptr;
  std::int64_t stride = 0;
  int leaves = 0;
  T softening_squared = T(0);  ///< of softened pairs
  T* part = nullptr;           ///< results of pieces of leaves whose sources are split

  /// Number of threads; some find nothing to do.
  int blocks() const { return max_pair_pieces(leaves, int(stride)); }
  /// Results of piece `block` of all pieces, for one vector of strengths.
  template <class K>
  NEARFAR_FUNCTION T* part_of(int block, int vector) const {
    return part + (std::int64_t(block) * args.vectors + vector) * K::results * piece_targets;
  }
  /// Numbers of `part`.
  template <class K>
  std::int64_t part_size() const {
    return std::int64_t(blocks()) * args.vectors * K::results * piece_targets;
  }

  template <class Buffers>
  static FmmP2PLaunch of(Buffers const& b, FmmP2PArgs const& args) {
    return {args,
            b.template get<Leaf const>(0),
            b.template get<std::int32_t const>(1),
            b.template get<T const>(2),
            b.template get<T>(4),
            b.template size<T>(2) / 3,
            int(b.template size<Leaf>(0))};
  }
};

/// What the threads of one block sum: some targets of a leaf, and all sources around it or some of them.
struct PairPiece {
  LeafPiece targets;
  RunPlace sources;
  bool split;  ///< the sources are split among several pieces

  NEARFAR_FUNCTION int count() const { return targets.last - targets.first; }
};

/// The shift by which targets are moved back instead of moving the sources of a run forward, as in
/// PairSum::add, which keeps the digits of close pairs. Sources of images at negative shifts are moved.
NEARFAR_FUNCTION int ahead(PointRun const& run, int d) { return run.image[d] > 0 ? run.image[d] : 0; }

/// The sources from number `first` of a leaf on.
NEARFAR_FUNCTION RunPlace place_of(PairTable<PointRun> const& table, int item, int first, int count) {
  RunPlace place{item, first, count};
  for (; count > 0; ++place.item) {
    PointRun const& run = table.item(place.item);
    if (place.done < run.last - run.first) break;
    place.done -= run.last - run.first;
  }
  return place;
}

/// Piece number `block`; without targets where there is no such piece.
template <class T>
NEARFAR_FUNCTION PairPiece pair_piece(FmmP2PLaunch<T> const& launch, int block) {
  PairTable<PointRun> const table(launch.table);
  int const leaf = bisect(launch.leaves, [&](int i) { return table.cut(i).first <= block; });
  LeafCut const cut = table.cut(leaf);
  int const pieces = table.cut(leaf + 1).first - cut.first, number = block - cut.first;
  if (number >= pieces) return {};
  auto const bound = [&](int i) { return int(std::int64_t(cut.sources) * i / cut.splits); };
  int const first = bound(number % cut.splits), count = bound(number % cut.splits + 1) - first;
  return {leaf_piece(launch.leaf[leaf], leaf, pieces / cut.splits, number / cut.splits),
          place_of(table, table.range(leaf).first, first, count), cut.splits > 1};
}

}  // namespace nearfar

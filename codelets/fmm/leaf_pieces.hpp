// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tables.hpp"

namespace nearfar {

/// Some of the points of a leaf, processed by one block of GPU threads,
/// so that leaves of very different size keep all blocks equally busy.
struct LeafPiece {
  int leaf = 0;
  int pieces = 0;  ///< of its leaf; 0: no such piece
  int first = 0, last = 0;
};

/// Upper bound for the numbers of pieces of at most `size` points; some numbers are unused.
NEARFAR_FUNCTION int max_pieces(int leaves, int points, int size) { return leaves + points / size; }

/// The number of the first piece of leaf i. The next leaf's is larger by at
/// least the number of pieces of this one, so each leaf computes its own alone.
NEARFAR_FUNCTION int first_piece(Leaf const* leaf, int i, int size) { return i + leaf[i].first / size; }

/// Pieces of a leaf: as few as possible, one if it has no points.
NEARFAR_FUNCTION int pieces_of(Leaf const& leaf, int size) {
  int const points = leaf.last - leaf.first;
  return points > size ? (points + size - 1) / size : 1;
}

/// The last i of 0 .. count for which is_before(i), which holds for 0, and for none after the first for which it fails.
template <class Before>
NEARFAR_FUNCTION int bisect(int count, Before const& is_before) {
  int found = 0, end = count;
  while (end - found > 1) {
    int const middle = (found + end) / 2;
    (is_before(middle) ? found : end) = middle;
  }
  return found;
}

/// Piece k of a leaf, cut evenly.
NEARFAR_FUNCTION LeafPiece leaf_piece(Leaf const& leaf, int number, int pieces, int k) {
  auto const bound = [&](int i) { return leaf.first + int(std::int64_t(leaf.last - leaf.first) * i / pieces); };
  return {number, pieces, bound(k), bound(k + 1)};
}

/// Piece `number` of all leaves.
NEARFAR_FUNCTION LeafPiece leaf_piece(Leaf const* leaf, int leaves, int size, int number) {
  int const i = bisect(leaves, [&](int l) { return first_piece(leaf, l, size) <= number; });
  int const pieces = pieces_of(leaf[i], size), k = number - first_piece(leaf, i, size);
  return k < pieces ? leaf_piece(leaf[i], i, pieces, k) : LeafPiece{};
}

}  // namespace nearfar

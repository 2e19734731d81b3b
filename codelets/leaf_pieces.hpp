// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tables.hpp"

namespace nearfar {

/// Some of the points of a leaf: what a block of GPU threads works on, so that leaves of very different size keep all
/// blocks busy alike.
struct LeafPiece {
  int leaf = 0;
  int pieces = 0;  ///< of its leaf; 0: there is no such piece
  int first = 0, last = 0;
};

/// Pieces of at most `size` points have numbers below this; some are of nobody.
NEARFAR_FUNCTION int most_pieces(int leaves, int points, int size) { return leaves + points / size; }

/// The number of the first piece of leaf i. The next leaf's is larger by at least as many as this one has pieces, so
/// that each finds its number alone.
NEARFAR_FUNCTION int first_piece(Leaf const* leaf, int i, int size) { return i + leaf[i].first / size; }

/// Of a leaf: as few as will do, one if it has no points.
NEARFAR_FUNCTION int pieces_of(Leaf const& leaf, int size) {
  int const points = leaf.last - leaf.first;
  return points > size ? (points + size - 1) / size : 1;
}

/// Piece `number`, of a leaf that is cut evenly.
NEARFAR_FUNCTION LeafPiece leaf_piece(Leaf const* leaf, int leaves, int size, int number) {
  int found = 0, end = leaves;
  while (end - found > 1) {
    int const middle = (found + end) / 2;
    (first_piece(leaf, middle, size) <= number ? found : end) = middle;
  }
  Leaf const here = leaf[found];
  int const pieces = pieces_of(here, size), k = number - first_piece(leaf, found, size);
  if (k >= pieces) return {};
  auto const bound = [&](int i) { return here.first + int(std::int64_t(here.last - here.first) * i / pieces); };
  return {found, pieces, bound(k), bound(k + 1)};
}

}  // namespace nearfar

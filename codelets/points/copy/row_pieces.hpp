// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <cstdint>
#include <limits>

namespace nearfar {

/// So many CPU workers copy rows at once: with ten, copies took 33 ms of a combined Stokes sum of 16 million points
/// (one H200, 64 cores), and take 19. Smaller arrays are cut into fewer.
inline constexpr int max_row_pieces = 32;

/// The piece length for rows that are not cut.
inline constexpr int whole_rows = std::numeric_limits<int>::max();

/// How rows are cut into pieces: all as long as the first, but the last; or each as it is.
struct RowCut {
  int length = whole_rows;  ///< of each piece except the last; uneven: pieces begin at `first`
  std::uint32_t first[max_row_pieces] = {};

  static constexpr int uneven = 0;
  NEARFAR_FUNCTION constexpr RowCut(int length_ = whole_rows) : length(length_) {}
};

/// The rows of an array, in one or several pieces.
template <class T>
struct RowPieces {
  T* piece[max_row_pieces];
  int pieces;
  RowCut cut;
  int row;  ///< numbers

  /// From the first `pieces` buffers of an access.
  RowPieces(Buffers const& b, int access, int pieces_, RowCut const& cut_, int row_)
      : piece{}, pieces(pieces_), cut(cut_), row(row_) {
    for (int p = 0; p < pieces; ++p) piece[p] = b.get<T>(access, p);
  }

  NEARFAR_FUNCTION T* at(std::int64_t i) const {
    if (cut.length == whole_rows) return piece[0] + i * row;
    if (cut.length != RowCut::uneven) return piece[i / cut.length] + i % cut.length * row;
    int p = pieces - 1;
    while (p > 0 && i < cut.first[p]) --p;
    return piece[p] + (i - cut.first[p]) * row;
  }
};

}  // namespace nearfar

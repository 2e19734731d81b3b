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

/// The rows of an array, in one or several pieces.
template <class T>
struct RowPieces {
  T* piece[max_row_pieces];
  int length;  ///< rows in each piece except the last
  int row;     ///< numbers

  /// From the first `pieces` buffers of an access.
  RowPieces(Buffers const& b, int access, int pieces, int length_, int row_) : piece{}, length(length_), row(row_) {
    for (int p = 0; p < pieces; ++p) piece[p] = b.get<T>(access, p);
  }

  NEARFAR_FUNCTION T* at(std::int64_t i) const {
    return length == whole_rows ? piece[0] + i * row : piece[i / length] + i % length * row;
  }
};

}  // namespace nearfar

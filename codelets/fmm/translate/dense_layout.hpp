// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "codelets/fmm/translate/shift.hpp"
#include "core/fmm/packed.hpp"
#include "core/tree/vectors.hpp"

namespace nearfar {

/// M2L as products with two whole matrices. Once the frame is turned about z so that the vector between the boxes lies
/// in the plane y = 0, the mirror y -> -y keeps real and imaginary parts of the coefficients apart: real parts of a
/// local come from real parts of a multipole by one matrix, imaginary ones by another. That is more operations than
/// turning the vector to z (AxialShift), but all in two large products, which GPUs have units for.
/// Here is where the numbers are, by tiles of 8 x 8 of which matrices consist and by which expansions are padded.
struct DenseLayout {
  static constexpr int tile = 8;

  int order;

  /// Coefficients with a part: the real parts (0), the imaginary ones (1).
  NEARFAR_FUNCTION int count(int part) const { return part == 0 ? pair_count(order) : order * (order + 1) / 2; }
  NEARFAR_FUNCTION int tiles(int part) const { return (count(part) + tile - 1) / tile; }
  /// Of a turned expansion: where a part begins, and its size.
  NEARFAR_FUNCTION int begin(int part) const { return part == 0 ? 0 : tile * tiles(0); }
  NEARFAR_FUNCTION int width() const { return tile * (tiles(0) + tiles(1)); }
  /// Number i of a part is (n, m). Those with m = 0, which have no imaginary part, are the last.
  NEARFAR_FUNCTION DegreeAndOrder at(int i) const {
    if (i >= count(1)) return {i - count(1), 0};
    DegreeAndOrder const below = pair_at(i);
    return {below.n + 1, below.m + 1};
  }

  /// Matrices lie tile by tile, rows of tiles one after the other, and a tile's rows too; rows are results.
  NEARFAR_FUNCTION int matrix_begin(int part) const { return part == 0 ? 0 : tile * tile * tiles(0) * tiles(0); }
  NEARFAR_FUNCTION int matrix_size() const { return matrix_begin(1) + tile * tile * tiles(1) * tiles(1); }

  /// Vectors that differ in signs have one pair of matrices: the mirrors are in the phases.
  NEARFAR_FUNCTION static int vectors(int separation) {
    int const width = vector_reach(separation) + 1;
    return width * width * width;
  }
  NEARFAR_FUNCTION static int vector_number(int key, int separation) {
    int d[3], number = 0;
    vector_of(key, separation, d);
    for (int k : d) number = number * (vector_reach(separation) + 1) + (k < 0 ? -k : k);
    return number;
  }
};

/// One entry of a matrix: that of the turn to z, the shift along z and the turn back.
template <class T>
NEARFAR_FUNCTION T dense_entry(AxialOperator<T> const& op, int part, DegreeAndOrder to, DegreeAndOrder from) {
  int const rows = to.n + 1 - part, columns = from.n + 1 - part, shared = rows < columns ? rows : columns;
  T const* const forward = op.forward + panel_offset(from.n) + part * (from.n + 1) * (from.n + 1);
  T const* back = op.backward + panel_offset(to.n) + part * (to.n + 1) * (to.n + 1);
  int row = to.m - part, column = from.m - part, step = rows_of_panel(rows);
  for (int left = rows; row >= step; step = rows_of_panel(left)) {
    back += step * rows;
    row -= step;
    left -= step;
  }
  double sum = 0;
  for (int k = 0; k < shared;) {
    int const panel = rows_of_panel(columns - k);
    T const* const turned = forward + k * columns + column * panel;
    for (int r = 0; r < panel && k < shared; ++r, ++k) sum += double(back[row + k * step]) * double(turned[r]);
  }
  return T(sum * double(op.shift[to.n + from.n]));
}

}  // namespace nearfar

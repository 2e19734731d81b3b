// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/kernels/description/row_shape.hpp"

namespace nearfar {

/// Rows of so many numbers; `pair`: where a layer of two vectors begins in a row; -1: there is none.
struct CheckedRows {
  int columns = 0;  ///< 0: not looked at
  int pair = -1;
};

/// Where the sums over rows are that reviews go by: how many rows; of each number of a row the square and the number;
/// of a layer of two vectors |q|^2 |n|^2 and the nine numbers of q n^T.
struct RowSums {
  static constexpr int squares = 1, sums = squares + max_row, products = sums + max_row, numbers = products + 10;
};

/// Adds the products of a layer of two vectors: |q|^2 |n|^2 and q n^T.
template <class Real, class T>
NEARFAR_FUNCTION void add_products(T const* layer, Real* sum) {
  Real square[2] = {};
  for (int c = 0; c < 6; ++c) square[c / 3] += Real(layer[c]) * Real(layer[c]);
  sum[0] += square[0] * square[1];
  for (int c = 0; c < 9; ++c) sum[1 + c] += Real(layer[c / 3]) * Real(layer[3 + c % 3]);
}

struct CheckRowsArgs {
  CheckedRows strengths, results;
};

/// Sums over all rows of one vector of strengths, and of its results, for the review of a solve where they are in the
/// memory of a GPU. The sums are doubles, whose range squares may leave; their order depends on the number of rows
/// alone.
template <class T>
struct CheckRows {
  using Args = CheckRowsArgs;
  using Accesses = AccessList<Read,          // the caller's strengths, rows
                              Read,          // the caller's results, rows
                              Write>;        // RowSums of both, doubles
  static constexpr auto name = "check_sum";  // as CheckSum, which needs all kernels
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/axes.hpp"
#include "core/kernels/description/row_shape.hpp"
#include "core/math/expects.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <cstddef>
#include <span>

namespace nearfar::detail {

/// Sums over rows of the squares of their fields, of the products of layers that have two fields, and of all numbers
/// that products have, over all rows or over evenly spaced runs of them. The sums are stored in the caller's numbers,
/// so that ranks can add theirs. Of rows with several vectors it is those of one.
template <class T>
class Squares {
 public:
  using Real = long double;  // has room for squares of doubles

  /// The number of rows; for each number of a row its sum and that of its square; for a layer of two vectors the sum of
  /// |q|^2 |n|^2 and of the nine numbers of q n^T.
  static constexpr std::size_t numbers = 1 + 2 * max_row + 10;

  /// `pair`: where a layer of two vectors begins in a row; -1: there is none.
  Squares(std::span<Real, numbers> sums, int columns, int pair, VectorNumber const& vector)
      : columns_(std::size_t(columns)), row_(columns_ * std::size_t(vector.all)),
        first_(columns_ * std::size_t(vector.number)), pair_(pair), sums_(sums) {
    EXPECTS(columns <= max_row && (pair < 0 || pair + 6 <= columns), columns, pair);
  }

  void add(std::span<T const> rows, bool all) {
    constexpr std::size_t run = 64, runs = 64;
    std::size_t const count = rows.size() / row_;
    if (count == 0) return;
    if (all || count <= run * runs) {
      add(OnHost<T>(rows));
    } else {
      std::size_t const step = (count - run) / (runs - 1) * row_;
      if (is_on_gpu(rows.data())) add(runs_from_gpu(rows, run * row_, step, runs));
      else
        for (std::size_t i = 0; i < runs; ++i) add(rows.subspan(i * step, run * row_));
    }
    Real const left_out = Real(count) / rows_;  // scaled to all rows of this rank
    for (Real& sum : sums_) sum *= left_out;
  }

  /// How many, of this rank or of all whose sums were added.
  Real rows() const { return rows_; }
  /// Mean over the rows of the sum of squares of columns [first, last).
  Real mean(int first, int last) const {
    Real sum = 0;
    for (int c = first; c < last; ++c) sum += square_[std::size_t(c)];
    return sum / rows_;
  }
  /// The mean of |q|^2 |n|^2.
  Real mean_of_products() const { return product_[0] / rows_; }
  /// Square of the mean of a column.
  Real square_of_mean(int column) const {
    return sum_[std::size_t(column)] * sum_[std::size_t(column)] / (rows_ * rows_);
  }
  /// Of the mean of q n^T.
  Real square_of_mean_product() const {
    Real sum = 0;
    for (std::size_t c = 1; c < 10; ++c) sum += product_[c] * product_[c];
    return sum / (rows_ * rows_);
  }

 private:
  void add(std::span<T const> rows) {
    for (std::size_t i = first_; i < rows.size(); i += row_) {
      Real square[max_row];
      for (std::size_t c = 0; c < columns_; ++c) {
        square_[c] += square[c] = Real(rows[i + c]) * Real(rows[i + c]);
        sum_[c] += Real(rows[i + c]);
      }
      if (pair_ < 0) continue;
      Real const* const q = square + pair_;
      product_[0] += (q[0] + q[1] + q[2]) * (q[3] + q[4] + q[5]);
      T const* const layer = &rows[i + std::size_t(pair_)];
      for (std::size_t c = 0; c < 9; ++c) product_[1 + c] += Real(layer[c / 3]) * Real(layer[3 + c % 3]);
    }
    rows_ += Real(rows.size() / row_);
  }

  std::size_t columns_, row_, first_;  ///< numbers of the vector, of a row, and before the vector
  int pair_;
  std::span<Real, numbers> sums_;
  Real &rows_ = sums_[0], *square_ = &sums_[1], *sum_ = square_ + max_row, *product_ = sum_ + max_row;
};

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/check/check_rows.hpp"
#include "core/geometry/axes.hpp"
#include "core/kernels/description/row_shape.hpp"
#include "core/math/column_sums.hpp"
#include "core/math/expects.hpp"
#include "tasks/engine/given_arrays.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Sums over rows of the squares of their fields, of the products of layers that have two fields, and of all numbers
/// that products have, over all rows or over evenly spaced runs of them. The sums are stored in the caller's numbers,
/// so that ranks can add theirs. Where rows have several vectors, one of these counts.
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

  /// Takes the sums of all rows of a single vector that a task found (CheckRows), unless squares left the range of
  /// double: then false.
  bool take(std::span<double const> found) {
    static_assert(RowSums::numbers == int(numbers));
    EXPECTS(first_ == 0 && row_ == columns_ && found.size() == numbers, row_, columns_, found.size());
    constexpr double least = 1e-250, most = 1e250;
    auto const in_range = [&](double square, double sum) {
      return square == 0 ? sum == 0 : square > least && square < most;
    };
    for (std::size_t c = 0; c < columns_; ++c)
      if (!in_range(found[std::size_t(RowSums::squares) + c], found[std::size_t(RowSums::sums) + c])) return false;
    if (pair_ >= 0 && !in_range(found[std::size_t(RowSums::products)], 0)) return false;
    std::ranges::copy(found, sums_.begin());
    return true;
  }

  void add(GivenArrays<T const> const& arrays, bool all) {
    std::array<Real, numbers> before;
    for (std::span<T const> const rows : arrays.all()) {
      if (rows.empty()) continue;
      std::ranges::copy(sums_, before.begin());
      std::ranges::fill(sums_, 0);
      add(rows, all, arrays.all().size());
      Real const left_out = Real(rows.size() / row_) / rows_;  // scaled to all rows of the array
      for (std::size_t i = 0; i < numbers; ++i) sums_[i] = before[i] + left_out * sums_[i];
    }
  }

  /// How many, of this rank or of all whose sums were added.
  Real rows() const { return rows_; }
  /// Mean over the rows of the sum of squares of columns [first, last).
  Real mean(int first, int last) const {
    Real sum = 0;
    for (int c = first; c < last; ++c) sum += square_[std::size_t(c)];
    return sum / rows_;
  }
  /// The same sum over all rows.
  Real sum_of_squares(int first, int columns) const { return rows_ * mean(first, first + columns); }
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
  /// Of one of so many arrays.
  void add(std::span<T const> rows, bool all, std::size_t arrays) {
    constexpr std::size_t run = 64;
    std::size_t const count = rows.size() / row_, runs = 1 + 63 / arrays;
    if (count == 0) return;
    if (all || count <= run * runs) return add(OnHost<T>(rows).rows());
    std::size_t const step = (count - run) / std::max<std::size_t>(1, runs - 1) * row_;
    std::vector<T> const copy = is_on_gpu(rows.data()) ? runs_from_gpu(rows, run * row_, step, runs) : std::vector<T>();
    for (std::size_t i = 0; i < runs; ++i)  // the same sums, wherever rows are
      add(copy.empty() ? rows.subspan(i * step, run * row_) : std::span(copy).subspan(i * run * row_, run * row_));
  }

  void add(std::span<T const> rows) {
    for (std::size_t c = 0; c < columns_; ++c) {
      auto const [sum, square] = column_sums(rows, first_ + c, row_);
      sum_[c] += sum;
      square_[c] += square;
    }
    for (std::size_t i = first_; i < rows.size() && pair_ >= 0; i += row_)
      add_products(&rows[i + std::size_t(pair_)], product_);
    rows_ += Real(rows.size() / row_);
  }

  std::size_t columns_, row_, first_;  ///< numbers of the vector, of a row, and before the vector
  int pair_;
  std::span<Real, numbers> sums_;
  Real &rows_ = sums_[0], *square_ = &sums_[1], *sum_ = square_ + max_row, *product_ = sum_ + max_row;
};

}  // namespace nearfar::detail

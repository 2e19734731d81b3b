// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace nearfar {

/// Sums over a column of rows: of its numbers, and of their squares.
template <class Real>
struct ColumnSums {
  Real sum = 0, square = 0;
};

namespace column_sums_detail {

template <class Real, class T>
ColumnSums<Real> add(std::span<T const> rows, std::size_t column, std::size_t row) {
  constexpr std::size_t lanes = 4;  // sums that do not wait for each other
  ColumnSums<Real> lane[lanes];
  std::size_t i = column;
  auto const add_to = [&](ColumnSums<Real>& to, T number) {
    to.sum += Real(number);
    to.square += Real(number) * Real(number);
  };
  for (; i + (lanes - 1) * row < rows.size(); i += lanes * row)
    for (std::size_t l = 0; l < lanes; ++l) add_to(lane[l], rows[i + l * row]);
  for (; i < rows.size(); i += row) add_to(lane[0], rows[i]);
  return {(lane[0].sum + lane[1].sum) + (lane[2].sum + lane[3].sum),
          (lane[0].square + lane[1].square) + (lane[2].square + lane[3].square)};
}

}  // namespace column_sums_detail

/// Of rows of `row` numbers. In double, which adds ten times as fast as long double, unless squares leave its range.
template <class T>
ColumnSums<long double> column_sums(std::span<T const> rows, std::size_t column, std::size_t row) {
  constexpr double least = 1e-250, most = 1e250;
  auto const fast = column_sums_detail::add<double>(rows, column, row);
  if (fast.square > least && fast.square < most) return {fast.sum, fast.square};
  return column_sums_detail::add<long double>(rows, column, row);
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar {

/// A view of rows of numbers in the caller's memory, one row per point: consecutive rows, one array per column, or rows
/// within larger structs; float or double, for plans of either precision. It owns nothing. Memory is void const for
/// input (positions, strengths) and void for results.
///
///   struct Bead { double mass; float position[3]; ... };            std::vector<Bead> beads;
///   RowsIn::strided(&beads[0].position[0], beads.size(), 3, sizeof(Bead))
///   RowsIn::arrays({x.data(), y.data(), z.data()}, x.size())
template <class Memory>
class BasicRows {
  template <class Number>
  using Pointer = std::conditional_t<std::is_const_v<Memory>, Number const, Number>*;

 public:
  struct Column {
    Memory* first;
    std::ptrdiff_t stride;  ///< bytes from one row to the next
    bool single;            ///< floats
  };

  /// `columns` consecutive numbers for each of `rows` consecutive points.
  static BasicRows packed(Pointer<double> first, std::size_t rows, int columns) {
    return strided(first, rows, columns, std::ptrdiff_t(sizeof(double)) * columns);
  }
  static BasicRows packed(Pointer<float> first, std::size_t rows, int columns) {
    return strided(first, rows, columns, std::ptrdiff_t(sizeof(float)) * columns);
  }
  /// `columns` consecutive numbers for each point, with `bytes` from one point to the next.
  static BasicRows strided(Pointer<double> first, std::size_t rows, int columns, std::ptrdiff_t bytes) {
    return BasicRows(first, rows, columns, bytes);
  }
  static BasicRows strided(Pointer<float> first, std::size_t rows, int columns, std::ptrdiff_t bytes) {
    return BasicRows(first, rows, columns, bytes);
  }
  /// One array per column, with `bytes` from one number to the next; 0: consecutive.
  static BasicRows arrays(std::initializer_list<Pointer<double>> columns, std::size_t rows, std::ptrdiff_t bytes = 0) {
    return BasicRows(columns, rows, bytes);
  }
  static BasicRows arrays(std::initializer_list<Pointer<float>> columns, std::size_t rows, std::ptrdiff_t bytes = 0) {
    return BasicRows(columns, rows, bytes);
  }

  /// Columns of any memory and stride each, where only the run knows how many.
  static BasicRows of(std::vector<Column> columns, std::size_t rows) { return BasicRows(std::move(columns), rows); }

  std::size_t rows() const noexcept { return rows_; }
  std::vector<Column> const& columns() const noexcept { return columns_; }

 private:
  template <class Number>
  BasicRows(Number* first, std::size_t rows, int columns, std::ptrdiff_t bytes) : rows_(rows) {
    for (int c = 0; c < columns; ++c)  // without rows there may be no memory
      columns_.push_back({rows > 0 ? first + c : first, bytes, sizeof(Number) == sizeof(float)});
  }
  template <class Number>
  BasicRows(std::initializer_list<Number*> columns, std::size_t rows, std::ptrdiff_t bytes) : rows_(rows) {
    for (Number* first : columns)
      columns_.push_back({first, bytes != 0 ? bytes : std::ptrdiff_t(sizeof(Number)), sizeof(Number) == sizeof(float)});
  }

  BasicRows(std::vector<Column> columns, std::size_t rows) : rows_(rows), columns_(std::move(columns)) {}

  std::size_t rows_;
  std::vector<Column> columns_;
};

using RowsIn = BasicRows<void const>;
using RowsOut = BasicRows<void>;

}  // namespace nearfar

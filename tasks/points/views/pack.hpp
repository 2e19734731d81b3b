// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"
#include "core/math/reject.hpp"

#include <nearfar/error.hpp>
#include <nearfar/rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nearfar::detail {

/// Throws Error{bad_input} unless the number of columns of a view is a multiple of `columns`.
inline void expect_columns(char const* what, std::size_t given, int columns) {
  if (given > 0 && given % std::size_t(columns) == 0) return;
  throw Error(Fault::bad_input, std::string("the view of ") + what + " has " + std::to_string(given) +
                                    " columns (each point has " + std::to_string(columns) +
                                    " numbers of them); give a view with as many");
}

/// Calls visit(column, first, last) for some rows after the other, so that structs stay in a cache for their next
/// column.
template <class Visit>
void in_cache(std::size_t rows, std::size_t columns, Visit const& visit) {
  constexpr std::size_t some = 1024;
  for (std::size_t first = 0; first < rows; first += some)
    for (std::size_t c = 0; c < columns; ++c) visit(c, first, std::min(first + some, rows));
}

/// Throws Error{bad_input} for so many rows that no memory holds their numbers.
template <class T>
void expect_rows_of_memory(char const* what, std::size_t rows, std::size_t width) {
  if (rows >
      std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) / (sizeof(double) * std::max<std::size_t>(1, width)))
    reject("the view of ", what, " has ", rows, " rows (more than any memory holds); give as many as there are");
}

/// Where a column of a view is in memory: from the number with the lowest address on.
struct ColumnBytes {
  std::uintptr_t first, last;  ///< of all rows
  std::ptrdiff_t number, stride;
};

/// Whether a number of one column overlaps one of the other, both of so many rows: in the order of addresses.
inline bool shares_memory(ColumnBytes const& one, ColumnBytes const& other, std::size_t rows) {
  if (one.last <= other.first || other.last <= one.first) return false;
  if (rows == 1) return true;
  if (one.stride == other.stride) {  // then all rows are as far apart as two of them
    ColumnBytes const &low = one.first < other.first ? one : other, &high = one.first < other.first ? other : one;
    auto const far = std::ptrdiff_t((high.first - low.first) % std::uintptr_t(low.stride));
    return far < low.number || low.stride - far < high.number;
  }
  std::uintptr_t a = one.first, b = other.first;
  for (std::size_t i = 0, j = 0; i < rows && j < rows;) {
    if (a + std::uintptr_t(one.number) <= b) a += std::uintptr_t(one.stride), ++i;
    else if (b + std::uintptr_t(other.number) <= a) b += std::uintptr_t(other.stride), ++j;
    else return true;
  }
  return false;
}

/// Throws Error{bad_input} if numbers of a view that a solve writes share memory: the later would overwrite the
/// earlier.
inline void expect_apart(RowsOut const& view) {
  std::vector<ColumnBytes> columns;
  for (auto const& column : view.columns()) {
    std::ptrdiff_t const number = column.single ? sizeof(float) : sizeof(double), stride = std::abs(column.stride);
    if (view.rows() > 1 && stride < number)
      throw Error(Fault::bad_input, "the view of the result has " + std::to_string(column.stride) +
                                        " bytes from one row to the next (numbers of " + std::to_string(number) +
                                        " bytes would overwrite each other); give the distance of two rows in memory");
    auto const first = reinterpret_cast<std::uintptr_t>(column.first);
    std::uintptr_t const all = view.rows() > 0 ? (view.rows() - 1) * std::uintptr_t(stride) : 0;
    columns.push_back({column.stride < 0 ? first - all : first,
                       (column.stride < 0 ? first : first + all) + std::uintptr_t(number), number, stride});
  }
  for (std::size_t a = 0; view.rows() > 0 && a < columns.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      ColumnBytes const &one = columns[a], &other = columns[b];
      if (shares_memory(one, other, view.rows()))
        throw Error(Fault::bad_input, "columns " + std::to_string(b) + " and " + std::to_string(a) +
                                          " of the view of the result share memory (one would overwrite the other); "
                                          "give each column numbers of its own");
    }
}

/// The numbers of a view, row after row, in memory that the next view of a simulation gets again.
template <class T>
BulkVector<T> packed(char const* what, RowsIn const& view, int columns) {
  expect_columns(what, view.columns().size(), columns);
  std::size_t const width = view.columns().size();
  expect_rows_of_memory<T>(what, view.rows(), width);
  BulkVector<T> rows(view.rows() * width);
  in_cache(view.rows(), width, [&](std::size_t c, std::size_t first, std::size_t last) {
    auto const& column = view.columns()[c];
    auto const* at = static_cast<char const*>(column.first) + std::ptrdiff_t(first) * column.stride;
    for (std::size_t i = first; i < last; ++i, at += column.stride) {
      double const number = column.single ? *reinterpret_cast<float const*>(at) : *reinterpret_cast<double const*>(at);
      rows[i * width + c] = T(number);
      if (!std::isfinite(rows[i * width + c]) && std::isfinite(number))
        reject("number ", c, " of row ", i, " of ", what, " is ", number,
               " (beyond single precision, in which the plan is); use a plan in double precision, or smaller numbers");
    }
  });
  return rows;
}

/// Throws Error{bad_input}, before anything is written, if a number of a result is beyond those of its column.
template <class T>
void expect_in_range(BulkVector<T> const& rows, RowsOut const& view) {
  std::size_t const width = view.columns().size();
  for (std::size_t c = 0; sizeof(T) > sizeof(float) && c < width; ++c)
    for (std::size_t i = 0; view.columns()[c].single && i < view.rows(); ++i) {
      T const number = rows[i * width + c];
      if (std::isfinite(number) && !std::isfinite(float(number)))
        reject("number ", c, " of result ", i, " is ", double(number),
               " (beyond single precision, in which the view is); give a view of doubles, or smaller strengths");
    }
}

/// The reverse.
template <class T>
void unpack(BulkVector<T> const& rows, RowsOut const& view) {
  expect_in_range(rows, view);
  std::size_t const width = view.columns().size();
  in_cache(view.rows(), width, [&](std::size_t c, std::size_t first, std::size_t last) {
    auto const& column = view.columns()[c];
    auto* at = static_cast<char*>(column.first) + std::ptrdiff_t(first) * column.stride;
    for (std::size_t i = first; i < last; ++i, at += column.stride) {
      T const number = rows[i * width + c];
      if (column.single) *reinterpret_cast<float*>(at) = float(number);
      else *reinterpret_cast<double*>(at) = double(number);
    }
  });
}

/// A solve whose strengths and result are views: `submit(strengths, result, finally, refused)` submits it with packed
/// rows, and calls `finally` when these are complete. What is wrong with the views of this rank is `refused`, to be
/// thrown where all ranks throw together.
template <class T, class Submit>
auto submit_views(RowsIn const& strengths, int strength_columns, RowsOut const& result, int result_columns,
                  Submit const& submit) {
  struct Copies {
    BulkVector<T> strengths, result;
  };
  auto const copies = std::make_shared<Copies>();
  std::exception_ptr refused;
  try {
    expect_columns("the result", result.columns().size(), result_columns);
    expect_rows_of_memory<T>("the result", result.rows(), result.columns().size());
    expect_apart(result);
    copies->strengths = packed<T>("strengths", strengths, strength_columns);
    copies->result = BulkVector<T>(result.rows() * result.columns().size());
  } catch (...) {
    refused = std::current_exception();
  }
  return submit(
      std::span<T const>(copies->strengths), std::span<T>(copies->result),
      [copies, result] { unpack(copies->result, result); }, refused);
}

}  // namespace nearfar::detail

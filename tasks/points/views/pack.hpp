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
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
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

/// Throws Error{bad_input} if numbers of a view that a solve writes share memory: the later would overwrite the
/// earlier.
inline void expect_apart(RowsOut const& view) {
  struct Bytes {
    std::uintptr_t first, last;  ///< of all rows
    std::ptrdiff_t number, stride;
  };
  std::vector<Bytes> columns;
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
      Bytes const &one = columns[a], &other = columns[b];
      if (one.last <= other.first || other.last <= one.first) continue;
      // Their numbers are this far from each other, but for multiples of what divides both strides.
      std::ptrdiff_t const common = std::max<std::ptrdiff_t>(1, std::gcd(one.stride, other.stride)),
                           far = ((std::ptrdiff_t(one.first - other.first) % common) + common) % common;
      if (far < other.number || common - far < one.number)
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
  if (view.rows() > std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) / (sizeof(T) * width))
    throw Error(Fault::bad_input, std::string("the view of ") + what + " has " + std::to_string(view.rows()) +
                                      " rows, more than any memory holds; give as many as there are");
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

/// A solve whose strengths and result are views: `submit(strengths, result, finally)`
/// submits it with packed rows, and calls `finally` when these are complete.
template <class T, class Submit>
auto submit_views(RowsIn const& strengths, int strength_columns, RowsOut const& result, int result_columns,
                  Submit const& submit) {
  expect_columns("the result", result.columns().size(), result_columns);
  expect_apart(result);
  struct Copies {
    BulkVector<T> strengths, result;
  };
  auto const copies = std::make_shared<Copies>(Copies{packed<T>("strengths", strengths, strength_columns),
                                                      BulkVector<T>(result.rows() * result.columns().size())});
  return submit(std::span<T const>(copies->strengths), std::span<T>(copies->result),
                [copies, result] { unpack(copies->result, result); });
}

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"

#include <nearfar/error.hpp>
#include <nearfar/rows.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

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

/// The numbers of a view, row after row, in memory that the next view of a simulation gets again.
template <class T>
BulkVector<T> packed(char const* what, RowsIn const& view, int columns) {
  expect_columns(what, view.columns().size(), columns);
  std::size_t const width = view.columns().size();
  BulkVector<T> rows(view.rows() * width);
  in_cache(view.rows(), width, [&](std::size_t c, std::size_t first, std::size_t last) {
    auto const& column = view.columns()[c];
    auto const* at = static_cast<char const*>(column.first) + std::ptrdiff_t(first) * column.stride;
    for (std::size_t i = first; i < last; ++i, at += column.stride)
      rows[i * width + c] =
          column.single ? T(*reinterpret_cast<float const*>(at)) : T(*reinterpret_cast<double const*>(at));
  });
  return rows;
}

/// The reverse.
template <class T>
void unpack(BulkVector<T> const& rows, RowsOut const& view) {
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
  struct Copies {
    BulkVector<T> strengths, result;
  };
  auto const copies = std::make_shared<Copies>(Copies{packed<T>("strengths", strengths, strength_columns),
                                                      BulkVector<T>(result.rows() * result.columns().size())});
  return submit(std::span<T const>(copies->strengths), std::span<T>(copies->result),
                [copies, result] { unpack(copies->result, result); });
}

}  // namespace nearfar::detail

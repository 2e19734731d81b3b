// SPDX-License-Identifier: BSD-3-Clause
// Views of rows.
#include "bindings/c/rows.hpp"

#include "bindings/c/values.hpp"

namespace nearfar::c {

namespace {

template <class Rows>
Rows converted(nearfar_rows const* given, char const* argument) {
  auto const& rows = expect(given, argument, "the address of a nearfar_rows");
  bool const single = !is_double(rows.precision);
  if (rows.column_count < 0)
    throw Error(Fault::bad_input, std::string(argument) + " has " + std::to_string(rows.column_count) +
                                      " columns; pass how many there are");
  expect_possible(rows.rows, sizeof(double) * std::size_t(std::max(1, rows.column_count)), argument, "rows");
  std::vector<typename Rows::Column> columns;
  if (rows.column_count > 0) expect(rows.columns, "columns", "an array of nearfar_column");
  for (int c = 0; c < rows.column_count; ++c) {
    auto const& column = rows.columns[c];
    if (column.first == nullptr && rows.rows > 0)
      throw Error(Fault::bad_input, "column " + std::to_string(c) + " of " + argument + " is NULL, but there are " +
                                        std::to_string(rows.rows) + " rows; pass the address of its first number");
    columns.push_back({column.first, column.stride, single});
  }
  return Rows::of(std::move(columns), rows.rows);
}

}  // namespace

RowsIn rows_in(nearfar_rows const* rows, char const* argument) { return converted<RowsIn>(rows, argument); }
RowsOut rows_out(nearfar_rows const* rows, char const* argument) { return converted<RowsOut>(rows, argument); }

}  // namespace nearfar::c

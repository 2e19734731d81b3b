// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bindings/c/errors.hpp"

#include <nearfar/arrays.hpp>
#include <nearfar/nearfar.h>
#include <nearfar/rows.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::c {

/// The C++ view of a view in C. Throws Error{bad_input} for a null pointer or another precision than the two.
RowsIn rows_in(nearfar_rows const* rows, char const* argument);
RowsOut rows_out(nearfar_rows const* rows, char const* argument);

/// The same of several arrays. Throws Error{bad_input} for a null pointer to numbers.
template <class T>
Arrays<T> arrays(nearfar_array const* given, std::size_t count, char const* argument) {
  std::vector<std::span<T>> all;
  if (count > max_arrays)
    throw Error(Fault::bad_input, std::string(argument) + " is said to be in " + std::to_string(count) +
                                      " arrays (there may be " + std::to_string(max_arrays) +
                                      "); pass how many there are, or join them");
  if (count > 0) expect(given, argument, "an array of nearfar_array");
  for (std::size_t k = 0; k < count; ++k) {
    expect_possible(given[k].length, sizeof(T), argument, "numbers in one array");
    if (given[k].first == nullptr && given[k].length > 0)
      throw Error(Fault::bad_input, "array " + std::to_string(k) + " of " + argument + " is NULL, but has " +
                                        std::to_string(given[k].length) + " numbers; pass the address of the first");
    all.emplace_back(static_cast<T*>(given[k].first), given[k].length);
  }
  return Arrays<T>(std::move(all));
}

}  // namespace nearfar::c

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>
#include <nearfar/nearfar.h>

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace nearfar::c {

/// Keeps the text of the exception in flight for nearfar_last_error, and returns its code.
int keep_current_exception() noexcept;

/// Runs a body of the C API, which no exception leaves.
template <class Body>
int guarded(Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return NEARFAR_OK;
  } catch (...) {
    return keep_current_exception();
  }
}

/// Throws Error{bad_input} for a null pointer, naming the argument and who makes it.
template <class T>
T& expect(T* pointer, char const* argument, char const* maker) {
  if (pointer == nullptr)
    throw Error(Fault::bad_input, std::string(argument) + " is NULL, so there is nothing to work on; pass " + maker);
  return *pointer;
}

/// The place where a function stores what it makes.
template <class T>
T& expect_place(T* place, char const* argument) {
  return expect(place, argument, "the address of a variable for it");
}

/// Throws for a count of rows, of so many bytes each, that no memory holds, such as a negative one that was converted.
inline void expect_possible(std::size_t count, std::size_t bytes, char const* argument, char const* what) {
  if (count > std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) / bytes)
    throw Error(Fault::bad_input, std::string(argument) + " is said to have " + std::to_string(count) + ' ' + what +
                                      ", more than any memory holds; pass how many there are");
}

/// The same text for ever, for callers in C: one copy of each.
char const* kept_text(std::string const& text);

}  // namespace nearfar::c

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/arrays.hpp>
#include <nearfar/error.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Rows as the caller has them: in one array, or in several, one after the other (nearfar/arrays.hpp). Owns nothing.
template <class T>
class GivenArrays {
 public:
  GivenArrays() = default;
  /// One array: whatever a span is made of.
  template <class Array, class = std::enable_if_t<std::is_convertible_v<Array&&, std::span<T>>>>
  GivenArrays(Array&& array) : arrays_{std::span<T>(std::forward<Array>(array))}, size_(arrays_.front().size()) {}
  GivenArrays(Arrays<T> const& arrays) : size_(arrays.numbers()) {
    if (!arrays.all().empty()) arrays_ = arrays.all();
  }

  std::vector<std::span<T>> const& all() const noexcept { return arrays_; }
  bool several() const noexcept { return arrays_.size() > 1; }
  std::size_t size() const noexcept { return size_; }  ///< numbers, of all arrays
  std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  /// Of one array; where there are several, of the first.
  std::span<T> front() const noexcept { return arrays_.front(); }
  T* data() const noexcept { return front().data(); }

  GivenArrays<T const> read_only() const {
    return GivenArrays<T const>(Arrays<T const>({arrays_.begin(), arrays_.end()}));
  }

 private:
  std::vector<std::span<T>> arrays_ = std::vector<std::span<T>>(1);  ///< an empty one, if nothing is given
  std::size_t size_ = 0;
};

/// Throws Error{bad_input} unless there are few enough arrays, each of whole rows of so many numbers.
template <class T>
void expect_arrays_of(char const* what, GivenArrays<T> const& given, std::size_t row) {
  if (given.all().size() > max_arrays)
    throw Error(Fault::bad_input, std::string(what) + " come in " + std::to_string(given.all().size()) +
                                      " arrays (tasks read all of them at once); give at most " +
                                      std::to_string(max_arrays));
  if (!given.several()) return;  // whose length is checked with the number of points
  for (std::size_t k = 0; k < given.all().size(); ++k)
    if (given.all()[k].size() % row != 0)
      throw Error(Fault::bad_input, "array " + std::to_string(k) + " of " + what + " has " +
                                        std::to_string(given.all()[k].size()) + " numbers (a row has " +
                                        std::to_string(row) + " and lies in one array); give whole rows");
}

/// The same for points.
template <class T>
void expect_arrays_of_points(GivenArrays<T> const& sources, GivenArrays<T> const& targets) {
  expect_arrays_of("sources", sources, 3);
  expect_arrays_of("targets", targets, 3);
}

}  // namespace nearfar::detail

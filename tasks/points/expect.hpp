// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/targets.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Throws Error{bad_input} unless there are `per_point` numbers for each point.
void expect_rows(char const* what, std::size_t length, std::size_t points, int per_point);

/// Throws Error{bad_input} unless the numbers make up whole points.
void expect_whole_points(char const* what, std::size_t length);

/// Throws Error{bad_input} if there are none.
void expect_some(char const* what, std::size_t points);

/// Both.
void expect_points(char const* what, std::size_t length);

/// Throws Error{bad_input} unless points belong to the plan that gets them.
void expect_of_plan(bool belong);

/// Throws Error{bad_input} unless points that are to move have targets of their own if such are given.
void expect_movable(Targets before, Targets given);

/// Throws Error{bad_input} unless there are as many whole points as before.
void expect_as_many(char const* what, std::size_t length, std::size_t before);

/// Throws Error{bad_input} if targets are not the sources, where a virial is wanted.
void expect_virial_of_sources(Targets which);

/// An array of the caller's, by what messages call it.
struct NamedArray {
  template <class T>
  NamedArray(char const* what, std::span<T> array)
      : name(what), begin(reinterpret_cast<char const*>(array.data())), bytes(array.size_bytes()) {}
  bool overlaps(NamedArray const& other) const noexcept;

  char const* name;
  char const* begin;
  std::size_t bytes;
};

/// Throws Error{bad_input} if one that a solve writes shares memory with another, or with one that it reads: its tasks
/// read and write in no order that the caller knows.
void expect_apart(std::vector<NamedArray> const& written, std::vector<NamedArray> const& read = {});

}  // namespace nearfar::detail

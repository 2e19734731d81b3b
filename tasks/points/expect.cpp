// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/expect.hpp"

#include <nearfar/error.hpp>

#include <functional>
#include <string>

namespace nearfar::detail {

void expect_rows(char const* what, std::size_t length, std::size_t points, int per_point) {
  if (length == points * std::size_t(per_point)) return;
  throw Error(Fault::bad_input, std::string(what) + " has " + std::to_string(length) + " numbers (" +
                                    std::to_string(points) + " points need " + std::to_string(per_point) +
                                    " each); give " + std::to_string(points * std::size_t(per_point)));
}

void expect_some(char const* what, std::size_t points) {
  if (points == 0)
    throw Error(Fault::bad_input,
                std::string("there are no ") + what + " (a sum needs at least one); give 3 numbers each");
}

void expect_points(char const* what, std::size_t length) {
  expect_some(what, length);
  expect_whole_points(what, length);
}

void expect_whole_points(char const* what, std::size_t length) {
  if (length % 3 != 0)
    throw Error(Fault::bad_input, std::string(what) + " has " + std::to_string(length) +
                                      " numbers (not a multiple of 3); give x, y, z of each point");
}

void expect_of_plan(bool belong) {
  if (!belong)
    throw Error(Fault::bad_input,
                "these points belong to another plan (their blocks do not fit this one); use set_points of this plan");
}

void expect_movable(Targets before, Targets given) {
  if (before == given) return;
  throw Error(Fault::bad_input, before == Targets::sources
                                    ? "targets are given (the points had none of their own, and moving makes no new "
                                      "ones); give sources alone, or use set_points"
                                    : "no targets are given (the points have targets of their own, which move too); "
                                      "give sources and targets");
}

void expect_as_many(char const* what, std::size_t length, std::size_t before) {
  expect_whole_points(what, length);
  if (length == 3 * before) return;
  throw Error(Fault::bad_input, "there are " + std::to_string(length / 3) + " " + what + " (before there were " +
                                    std::to_string(before) + ", and moving makes no new ones); use set_points");
}

void expect_virial_of_sources(Targets which) {
  if (which == Targets::own)
    throw Error(
        Fault::bad_input,
        "targets are given, and the plan is to find a virial (which is of charges that act on each other). Give "
        "sources alone, or make the plan without virial");
}

bool NamedArray::overlaps(NamedArray const& other) const noexcept {
  std::less<> const before;
  return bytes > 0 && other.bytes > 0 && before(begin, other.begin + other.bytes) && before(other.begin, begin + bytes);
}

void expect_apart(std::vector<NamedArray> const& written, std::vector<NamedArray> const& read) {
  auto const expect = [](NamedArray const& one, NamedArray const& other) {
    if (one.overlaps(other))
      throw Error(Fault::bad_input, std::string(one.name) + " shares memory with " + other.name +
                                        " (some tasks would overwrite what others have yet to read or have written); "
                                        "give it an array of its own");
  };
  for (auto one = written.begin(); one != written.end(); ++one) {
    for (auto const& input : read) expect(*one, input);
    for (auto other = written.begin(); other != one; ++other) expect(*one, *other);
  }
}

}  // namespace nearfar::detail

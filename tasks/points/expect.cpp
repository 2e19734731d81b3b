// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/expect.hpp"

#include <nearfar/error.hpp>

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

}  // namespace nearfar::detail

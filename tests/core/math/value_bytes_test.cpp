// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/value_bytes.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace nearfar;

namespace {

struct Inner {
  std::int8_t a = 1;
  std::int32_t b = 2;
};
struct Outer {
  double x = 0.5;
  bool flag = true;
  Inner inner[2];
  std::int8_t last = 0;
};

template <class T>
std::string shown() {
  std::string text;
  for (bool const value : value_bytes<T>) text += value ? 'v' : '.';
  return text;
}

}  // namespace

TEST_CASE("the bytes of an object that belong to its members, and padding between and after them") {
  CHECK(shown<int>() == "vvvv");
  CHECK(shown<Inner>() == "v...vvvv");
  CHECK(shown<Outer>() ==
        "vvvvvvvv"
        "v..."
        "v...vvvv"
        "v...vvvv"
        "v...");
}

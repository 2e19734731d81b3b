// SPDX-License-Identifier: BSD-3-Clause
// Messages name the number that a caller gave, and not a neighbour of it.
#include "core/math/reject.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

using namespace nearfar;

TEST_CASE("words: a number has six digits, or as many more as tell it from others") {
  CHECK(in_words(2.5) == "2.5");
  CHECK(in_words(1e-9) == "1e-09");
  CHECK(in_words(100000.0) == "100000");
  CHECK(in_words(19999.52) == "19999.52");
  CHECK(in_words(20000.015625) == "20000.015625");
  CHECK(in_words(std::nextafter(1.0, 2.0)) == "1.0000000000000002");
  CHECK(in_words(-std::numeric_limits<double>::denorm_min()) == "-4.94066e-324");
  CHECK(in_words(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(in_words(-std::numeric_limits<double>::quiet_NaN()).find("nan") != std::string::npos);
}

TEST_CASE("words: a float has its own digits, not those of the double next to it") {
  CHECK(in_words(0.1f) == "0.1");
  CHECK(in_words(19999.52f) == "19999.52");
  CHECK(in_words(std::nextafter(1.0f, 2.0f)) == "1.0000001");
}

TEST_CASE("words: whole numbers and text are as they are") {
  CHECK(in_words(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(in_words("edge ", 'x', " is ", -7, std::string(", so ")) == "edge x is -7, so ");
}

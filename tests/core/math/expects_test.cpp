// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/expects.hpp"
#include "tests/core/math/ending.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace nearfar;

TEST_CASE("EXPECTS: what does not hold ends the program, with the values, file and line") {
  int const rows = 12, most = 9;
  auto const ending = ending_of([&] { EXPECTS(rows <= most, rows, most); });
  CHECK(ending.signal == SIGABRT);
  CHECK(ending.said.find("expected rows <= most; rows, most = 12 9") != std::string::npos);
  CHECK(ending.said.find("expects_test.cpp:") != std::string::npos);
  CHECK(ending_of([&] { EXPECTS(rows > most); }).signal == 0);
}

TEST_CASE("unreachable: a value of an enumeration that nobody handles ends the program, in every build") {
  auto const ending = ending_of([] { unreachable("kernel", 77); });
  CHECK(ending.signal == SIGABRT);
  CHECK(ending.said.find("kernel 77 is not handled") != std::string::npos);
}

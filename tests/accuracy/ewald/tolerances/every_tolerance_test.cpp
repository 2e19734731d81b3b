// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/check_cases.hpp"

#include <algorithm>

using namespace nearfar;
using namespace nearfar::accuracy;

// The cases of docs/accuracy.md, all of them; ctest runs these test cases one by one.

namespace {

template <class Condition>
void check_those(Condition condition) {
  auto cases = every_case();
  cases.erase(std::remove_if(cases.begin(), cases.end(), [&](Case const& c) { return !condition(c); }), cases.end());
  REQUIRE(cases.size() > 50);
  check_cases(cases, 1000, 100);
}

void check_plain(Distribution distribution) {
  check_those([&](Case const& c) {
    return c.distribution == distribution && c.signs == Signs::mixed && c.split == Split::pswf;
  });
}

}  // namespace

TEST_CASE("tolerance: uniform") { check_plain(Distribution::uniform); }
TEST_CASE("tolerance: normal") { check_plain(Distribution::normal); }
TEST_CASE("tolerance: sphere") { check_plain(Distribution::sphere); }
TEST_CASE("tolerance: corner") { check_plain(Distribution::corner); }
TEST_CASE("tolerance: gaussian") {
  check_those([](Case const& c) { return c.split == Split::gaussian; });
}
TEST_CASE("tolerance: positive") {
  check_those([](Case const& c) { return c.signs == Signs::positive; });
}

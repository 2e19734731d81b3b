// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/cut.hpp"

#include <doctest/doctest.h>
#include <initializer_list>

using namespace nearfar;

namespace {

void expect_whole(Cut const& cut) {
  CHECK(cut.first(0) == 0);
  CHECK(cut.first(cut.pieces) == cut.items);
  int item = 0;
  for (int piece = 0; piece < cut.pieces; ++piece)
    for (int i = 0; i < cut.size(piece); ++i, ++item) CHECK(cut.of(item) == piece);
  CHECK(item == cut.items);
}

}  // namespace

TEST_CASE("a cut has every item once, in order, however it is made") {
  for (int items : {1, 12, 29, 97})
    for (int pieces : {1, 2, 3, 7}) expect_whole({items, pieces});
  for (int owners : {1, 2, 3})
    for (int halo : {1, 4})
      for (int parts : {1, 2, 5}) expect_whole({29, 3 * owners * parts, halo, parts});
}

TEST_CASE("the pieces of an owner at its faces are as thick as asked, and owners begin where they would without") {
  Cut const cut{40, 6, 3};
  for (int owner : {0, 1}) {
    CHECK(cut.first(3 * owner) == Cut{40, 2}.first(owner));
    CHECK(cut.size(3 * owner) == 3);
    CHECK(cut.size(3 * owner + 1) == 14);
    CHECK(cut.size(3 * owner + 2) == 3);
  }
}

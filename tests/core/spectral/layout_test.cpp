// SPDX-License-Identifier: BSD-3-Clause
#include "core/spectral/mode_table.hpp"
#include "core/spectral/transforms.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <set>
#include <vector>

using namespace nearfar;

namespace {

/// Layouts with one padding for all modes, and those whose modes have paddings of their own.
std::vector<SpectralLayout> layouts() {
  std::vector<SpectralLayout> all;
  for (int free = 0; free <= 3; ++free)
    for (int even : {0, 1}) {
      std::array<int, 3> const size{5 + even, 7 + even, 9 + even};
      auto transform = size;
      for (int d = 0; d < free; ++d) transform[std::size_t(d)] *= 2;
      all.push_back(plain_layout({1, 2, 3}, size, free, transform));
    }
  for (int free : {1, 2}) {
    SpectralLayout l = all[std::size_t(2 * free)];
    l.paddings = 3;
    for (int p : {1, 2}) l.padding[p] = {{20 - 7 * p, free == 1 ? l.size[1] : 17 - 4 * p}, p, 20.0 * p};
    all.push_back(l);
  }
  return all;
}

}  // namespace

TEST_CASE("layout: slabs and groups cover planes and columns once, whatever their number") {
  for (SpectralLayout l : layouts())
    for (int parts : {1, 2, 3, 5}) {
      l.slabs = l.columns = parts;
      int planes = 0, columns = 0;
      for (int i = 0; i < parts; ++i) {
        CHECK(l.first_plane(i) == planes);
        for (int p = 0; p < l.planes(i); ++p) CHECK(l.slab_of(planes + p) == i);
        planes += l.planes(i);
        CHECK(l.first_column(i) == columns);
        columns += l.columns_in(i);
      }
      CHECK(planes == l.size[0]);
      CHECK(columns == l.column_count());
    }
}

TEST_CASE("layout: every mode of the planes is one column, of a length for which there is a plan") {
  for (SpectralLayout const& l : layouts()) {
    std::vector<int> const lengths = column_lengths(l);
    std::set<std::pair<int, int>> seen;
    for (int i = 0; i < l.column_count(); ++i) {
      ModeColumn const c = l.column(i);
      CHECK(seen.insert({c.y, c.z}).second);
      CHECK(c.padding < l.paddings);
      CHECK(c.y < l.transform(1, c.padding));
      CHECK(c.z <= l.transform(2, c.padding) / 2);
      CHECK(std::binary_search(lengths.begin(), lengths.end(), l.transform(0, c.padding)));
    }
    CHECK(l.column(0).padding == 0);
  }
}

TEST_CASE("mode table: a place of its own for every absolute value of the mode numbers, and no other places") {
  for (SpectralLayout const& l : layouts()) {
    std::int64_t const size = ModeTable<int>::size(l);
    std::vector<int> data(std::size_t(size), 0);
    ModeTable<int> const table(l, data.data());
    for (int i = 0; i < l.column_count(); ++i) {
      ModeColumn const c = l.column(i);
      int const ny = l.transform(1, c.padding);
      if (2 * c.y > ny) {
        CHECK(table.row(c) == table.row({ny - c.y, c.z, c.padding}));
        continue;
      }
      int* const row = table.row(c);
      REQUIRE((row >= data.data() && row + l.transform(0, c.padding) / 2 < data.data() + size));
      for (int x = 0; x <= l.transform(0, c.padding) / 2; ++x) ++row[x];
    }
    bool const rows_of_one_length = l.paddings == 1 || l.free != 1;
    for (int count : data) CHECK((count == 1 || (count == 0 && !rows_of_one_length)));
  }
  // Three free directions of N points: (N + 1)^3.
  CHECK(ModeTable<int>::size(plain_layout({1, 1, 1}, {4, 4, 4}, 3, {8, 8, 8})) == 125);
}

TEST_CASE("modes: signed numbers of even and odd transforms") {
  int const even[] = {0, 1, 2, 3, -2, -1}, odd[] = {0, 1, 2, -2, -1};
  for (int i = 0; i < 6; ++i) CHECK(signed_mode(i, 6) == even[i]);
  for (int i = 0; i < 5; ++i) CHECK(signed_mode(i, 5) == odd[i]);
}

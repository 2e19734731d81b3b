// SPDX-License-Identifier: BSD-3-Clause
#include "core/spectral/mode_table.hpp"
#include "core/spectral/transforms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <set>
#include <vector>

using namespace nearfar;

namespace {

/// That most modes of these layouts are within.
constexpr double band = 15;

/// Layouts with one padding for all modes, and those whose modes have paddings of their own; and each with modes left
/// out beyond the band.
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
    for (int p : {1, 2}) {
      double const z = l.mode_unit(2, l.row_transform()) * p;
      l.padding[p] = {{20 - 7 * p, free == 1 ? l.size[1] : 17 - 4 * p}, free == 1 ? 20.0 * p : z * z};
    }
    set_sections(l);
    all.push_back(l);
  }
  for (std::size_t i = 0, whole = all.size(); i < whole; ++i) {
    all.push_back(all[i]);
    set_sections(all.back(), band);
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

TEST_CASE("layout: modes in no section are beyond the band, and few that are beyond are in one") {
  for (int free = 0; free <= 3; ++free)
    for (double const band : {5.0, 60.0, 300.0, 430.0, 1e4}) {
      SpectralLayout l =
          plain_layout({1, 1, 1}, {128, 128, 128}, free, {160, free > 1 ? 160 : 128, free > 2 ? 160 : 128});
      set_sections(l, band);
      int const ny = l.transform(1, 0);
      std::vector<bool> seen(std::size_t(ny * l.modes_z()));
      for (int i = 0; i < l.column_count(); ++i) {
        ModeColumn const c = l.column(i);
        REQUIRE(l.section_row(c.section, l.place_of_row(c.section, c.y)) == c.y);
        REQUIRE(!seen[std::size_t(c.y * l.modes_z() + c.z)]);
        seen[std::size_t(c.y * l.modes_z() + c.z)] = true;
      }
      int within = 0;
      for (int y = 0; y < ny; ++y)
        for (int z = 0; z < l.modes_z(); ++z) {
          bool const in =
              std::hypot(l.mode_unit(1, ny) * signed_mode(y, ny), l.mode_unit(2, l.row_transform()) * z) <= band;
          within += in;
          if (in) REQUIRE(seen[std::size_t(y * l.modes_z() + z)]);
        }
      CHECK(l.column_count() <= 1.1 * within);
      CHECK(l.has_all_modes() == (band == 1e4));
    }
}

TEST_CASE("layout: every mode of the planes within the band is one column, of a length for which there is a plan") {
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
        CHECK(table.row(c) == table.row({ny - c.y, c.z, c.padding, c.section}));
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

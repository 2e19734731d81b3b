// SPDX-License-Identifier: BSD-3-Clause
// What lies in columns of cells as GPUs count it, on the host: as the portable body does, and by the definition.
#include "codelets/points/count_columns/count_columns.cu"

#include "codelets/points/count_columns/content_of_columns.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

using Offsets = AlignedVector<std::int32_t>;

constexpr int most = 1 << 17;  // pieces

Cells cells_of_box(std::array<int, 3> const& blocks, bool periodic, double cutoff) {
  Cells cells;
  for (int d = 0; d < 3; ++d) {
    cells.count[d] = 5 + 2 * d;
    cells.blocks[d] = blocks[std::size_t(d)];
    cells.periodic[d] = periodic;
  }
  cells.cutoff = cutoff;
  return cells;
}

/// Of all cells, block by block, in arrays that begin with these blocks.
std::vector<Offsets> some_points(Cells const& cells, OffsetArrays const& arrays, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Offsets> all;
  for (int a = 0; a < arrays.arrays; ++a) {
    int const first = cells_before_block(cells, arrays.first[a]), last = cells_before_block(cells, arrays.first[a + 1]);
    Offsets& offsets = all.emplace_back(1, a == 1 ? 17 : 0);
    for (int c = first; c < last; ++c) offsets.push_back(offsets.back() + int(random() % 3 == 0 ? random() % 9 : 0));
  }
  return all;
}

/// The points of a cell.
int points_in(Cells const& cells, OffsetArrays const& arrays, std::vector<Offsets> const& offsets, int x, int y,
              int z) {
  int const cell = cell_by_block(cells, x, y, z);
  int a = 0;
  while (cell >= cells_before_block(cells, arrays.first[a + 1])) ++a;
  auto const at = std::size_t(cell - cells_before_block(cells, arrays.first[a]));
  return offsets[std::size_t(a)][at + 1] - offsets[std::size_t(a)][at];
}

/// The points of columns by their definition.
void check_points(Cells const& cells, OffsetArrays const& arrays, std::vector<Offsets> const& targets,
                  std::vector<ColumnContent> const& content) {
  CellColumns const columns = cell_columns_of(cells, most);
  int wrong = 0;
  for (int b = 0; b < cells.block_count(); ++b) {
    Block const block = block_at(cells, b);
    auto next = content.begin() + columns.before(block) * columns.pieces;
    for (int x = cells.first_cell(0, block.at[0]); x < cells.first_cell(0, block.at[0] + 1); ++x)
      for (int y = cells.first_cell(1, block.at[1]); y < cells.first_cell(1, block.at[1] + 1); ++y) {
        int points = 0;
        for (int z = cells.first_cell(2, block.at[2]); z < cells.first_cell(2, block.at[2] + 1); ++z)
          points += points_in(cells, arrays, targets, x, y, z);
        for (int piece = 0; piece < columns.pieces; ++piece) points -= (next++)->points;
        wrong += points != 0;
      }
  }
  CHECK(wrong == 0);
}

void check(Cells const& cells, OffsetArrays const& arrays, OffsetArrays const& others, bool same) {
  CellColumns const columns = cell_columns_of(cells, most);
  auto sources = some_points(cells, arrays, 1), targets = same ? sources : some_points(cells, others, 2);
  std::vector<ColumnContent> content[2];
  for (int const on_gpu : {0, 1}) {
    auto& found = content[on_gpu];
    found.assign(std::size_t(columns.all_pieces()), {-1, -1});
    LocalBuffers b;
    b.access();
    for (auto& array : sources) b.add(array);
    b.access();
    if (!same)
      for (auto& array : targets) b.add(array);
    b.access().add(found.data(), std::int64_t(found.size()));
    if (on_gpu != 0) launch_count_columns({b.view(), {columns, arrays, others}}, nullptr);
    else CountColumns::portable(b.view(), {columns, arrays, others});
  }
  int wrong = 0;
  for (std::size_t i = 0; i < content[0].size(); ++i)
    wrong += content[0][i].points != content[1][i].points || content[0][i].pairs != content[1][i].pairs;
  CHECK(wrong == 0);
  check_points(cells, same ? arrays : others, targets, content[0]);
}

/// With the blocks in one array and in several.
void check_arrays(Cells const& cells) {
  int const all = cells.block_count();
  CAPTURE(all);
  for (int const arrays : {1, 2, 3}) {
    if (arrays > all) continue;
    OffsetArrays in{arrays}, other{1, {0, all}};
    for (int a = 1; a <= arrays; ++a) in.first[a] = a == arrays ? all : a;
    check(cells, in, {}, true);
    check(cells, in, other, false);
    check(cells, other, in, false);
  }
}

}  // namespace

TEST_CASE("count_columns: as GPUs count, as the portable body does, of points in one array or several") {
  for (bool const periodic : {true, false})
    for (double const cutoff : {0.09, 0.3, 0.7})
      for (std::array<int, 3> const& blocks : {std::array{1, 1, 1}, std::array{4, 1, 1}, std::array{2, 3, 2}})
        check_arrays(cells_of_box(blocks, periodic, cutoff));
}

TEST_CASE("count_columns: blocks beside halos, some without cells; skewed cells; many columns, of which few are cut") {
  for (int const halo : {2, 3}) {
    Cells cells = cells_of_box({6, 1, 2}, true, 0.2);
    cells.count[0] = 12;
    cells.halo = halo;
    check_arrays(cells);
  }
  Cells skewed = cells_of_box({2, 1, 1}, true, 0.2);
  skewed.skewed = true;
  skewed.row[1][0] = 0.6;
  for (double& thickness : skewed.thickness) thickness = 0.7;
  check_arrays(skewed);
  Cells fine = cells_of_box({2, 1, 3}, false, 0.01);
  fine.count[0] = fine.count[1] = 170;  // 86,700 columns
  fine.count[2] = 40;
  check_arrays(fine);
}

TEST_CASE("columns: evenly spread sources are as many near each as the ball of the cutoff holds of them") {
  Cells cells = cells_of_box({1, 1, 1}, true, 0.2);
  for (int& count : cells.count) count = 10;
  std::vector<std::int32_t> offsets;
  for (int c = 0; c <= 1000; ++c) offsets.push_back(2 * c);
  CellColumns const columns = cell_columns_of(cells, most);
  CHECK(columns.pieces == 5);
  auto const content = content_of_columns(columns, {offsets.data()}, {offsets.data()}, in_turn);
  REQUIRE(content.size() == 500);
  for (ColumnContent const& c : content) {
    CHECK(c.points == 4);
    CHECK(c.pairs == doctest::Approx(4 * 2000 * 4 * 3.14159265358979 / 3 * 0.008));
  }
}

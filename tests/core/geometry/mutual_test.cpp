// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/mutual.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

using namespace nearfar;

namespace {

Cells make(int nx, int ny, int nz, int bx, int by, int bz, double cutoff, bool periodic) {
  Cells c;
  int const count[3] = {nx, ny, nz}, blocks[3] = {bx, by, bz};
  for (int d = 0; d < 3; ++d) {
    c.count[d] = count[d];
    c.blocks[d] = blocks[d];
    c.periodic[d] = periodic;
  }
  c.cutoff = cutoff;
  return c;
}

}  // namespace

TEST_CASE("contributions: of two blocks one sums for both, and all sum for as many where the box is periodic") {
  for (auto const& c : {make(12, 12, 4, 6, 5, 1, 0.1, true), make(12, 12, 12, 2, 3, 4, 0.1, true),
                        make(7, 1, 1, 7, 1, 1, 0.1, true), make(2, 2, 2, 2, 2, 2, 0.4, true)}) {
    for (int a = 0; a < c.block_count(); ++a) {
      Block const block = block_at(c, a);
      CHECK_FALSE(sums_for_both(c, block, block));
      int for_both = 0, others = 0;
      for (int b = 0; b < c.block_count(); ++b) {
        if (a == b) continue;
        CHECK(sums_for_both(c, block, block_at(c, b)) != sums_for_both(c, block_at(c, b), block));
        bool const opposite = [&] {
          for (int d = 0; d < 3; ++d)
            if (2 * wrap(block_at(c, b).at[d] - block.at[d], c.blocks[d]) % c.blocks[d] != 0) return false;
          return true;
        }();
        if (opposite) continue;  // only there one of the two has more
        ++others;
        for_both += sums_for_both(c, block, block_at(c, b));
      }
      if (c.blocks[0] % 2 == 1 && c.blocks[1] % 2 == 1) CHECK(2 * for_both == others);
    }
  }
}

TEST_CASE("contributions: their columns are those with a cell within the cutoff of the block, each once") {
  for (bool periodic : {true, false})
    for (double cutoff : {0.05, 0.1, 0.24, 0.7}) {
      Cells const c = make(10, 9, 2, 4, 3, 1, cutoff, periodic);
      // The gap between cells a and b, or the least to an image.
      auto const gap = [&](int d, int a, int b) {
        int away = std::abs(a - b);
        if (periodic) away = std::min(away, c.count[d] - away);
        return std::max(0, away - 1) * c.cell_edge(d);
      };
      for (int a = 0; a < c.block_count(); ++a)
        for (int b = 0; b < c.block_count(); ++b) {
          if (a == b) continue;
          Block const block = block_at(c, a), other = block_at(c, b);
          std::multiset<int> wanted, visited;
          for (int x = 0; x < c.cells_in(0, other.at[0]); ++x)
            for (int y = 0; y < c.cells_in(1, other.at[1]); ++y) {
              bool near = false;
              for (int i = c.first_cell(0, block.at[0]); i < c.first_cell(0, block.at[0] + 1); ++i)
                for (int j = c.first_cell(1, block.at[1]); j < c.first_cell(1, block.at[1] + 1); ++j)
                  near |= std::hypot(gap(0, i, c.first_cell(0, other.at[0]) + x),
                                     gap(1, j, c.first_cell(1, other.at[1]) + y)) <= cutoff + 1e-9;
              if (near) wanted.insert((x * c.cells_in(1, other.at[1]) + y) * 2);
            }
          for_each_mutual_column(c, block, other, [&](int cell, int cells) {
            CHECK(cells == 2);
            visited.insert(cell);
          });
          CHECK(visited == wanted);
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/copy/copy.hpp"
#include "codelets/points/copy/past_caches.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "codelets/points/units/units.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/codelets/row_shapes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace nearfar;
using test::unit_shape;

namespace {

/// Numbers that differ, one of them much larger, and one none.
std::vector<double> numbers(std::size_t count) {
  std::vector<double> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = std::sin(double(i));
  all[count / 3] = -7;
  all[count / 2] = std::nan("");
  return all;
}

}  // namespace

TEST_CASE("copy_strengths: the rows of a range, and the largest of them") {
  for (int strengths : {1, 3, 9})
    for (int vectors : {1, 2})
      for (auto const& [begin, end] : {std::pair{0, 5000}, std::pair{1700, 1701}, std::pair{1023, 3072}}) {
        std::size_t const row = std::size_t(strengths * vectors);
        auto rows = numbers(5000 * row);
        std::vector<double> piece(std::size_t(end - begin) * row, -1),
            largest(unit_shape(strengths).strengths.groups * vectors, -1), expected(largest);
        test::LocalBuffers buffers, of_range;
        buffers.access().add(rows).access().add(piece).access().add(largest);
        CopyStrengths<double>::portable(buffers.view(), {unit_shape(strengths).strengths, vectors, begin, end});
        of_range.access().add(rows).access().add(expected);
        Largest<double>::portable(of_range.view(), {unit_shape(strengths).strengths, vectors, begin, end});
        CHECK(largest == expected);
        bool same = true;
        for (std::size_t i = 0; i < piece.size(); ++i) {
          double const there = rows[std::size_t(begin) * row + i];
          same = same && (piece[i] == there || (std::isnan(piece[i]) && std::isnan(there)));
        }
        CHECK(same);
      }
}

TEST_CASE("copies past the caches: all bytes, wherever they begin and end") {
  std::vector<unsigned char> from(300), to(from.size());
  std::iota(from.begin(), from.end(), 1);
  for (std::size_t begin : {0u, 1u, 7u, 16u})
    for (std::size_t bytes : {0u, 1u, 15u, 16u, 17u, 100u, 256u}) {
      std::ranges::fill(to, 0);
      copy_past_caches(&from[3], &to[begin], bytes);
      for (std::size_t i = 0; i < to.size(); ++i)
        REQUIRE(to[i] == (i >= begin && i < begin + bytes ? from[3 + i - begin] : 0));
    }
}

TEST_CASE("copy_results: pieces make all rows, and nothing beside them is written") {
  std::vector<double> result(3 * 10 + 1, -1), first(3 * 6), last(3 * 4);
  std::iota(first.begin(), first.end(), 0);
  std::iota(last.begin(), last.end(), 18);
  for (auto* piece : {&last, &first}) {
    test::LocalBuffers buffers;
    buffers.access().add(*piece).access().add(result);
    CopyResults<double>::portable(buffers.view(), {3, piece == &first ? 0 : 6});
  }
  for (int i = 0; i < 30; ++i) CHECK(result[std::size_t(i)] == i);
  CHECK(result[30] == -1);
}

TEST_CASE("rows in pieces: the row is found, in one piece and in several") {
  std::vector<int> all(21);
  std::iota(all.begin(), all.end(), 0);
  test::LocalBuffers whole, cut;
  whole.access().add(all);
  cut.access().add(all.data(), 12).add(all.data() + 12, 9);
  RowPieces<int const> const one(whole.view(), 0, 1, whole_rows, 3), two(cut.view(), 0, 2, 4, 3);
  for (int i = 0; i < 7; ++i) {
    CHECK(*one.at(i) == 3 * i);
    CHECK(*two.at(i) == 3 * i);
  }
}

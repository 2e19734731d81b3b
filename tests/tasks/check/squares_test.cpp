// SPDX-License-Identifier: BSD-3-Clause
// Sums of squares over rows in several arrays: each array counts by how many rows it has, sampled or whole.
#include "tasks/check/squares.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

/// Rows of two vectors of (q, n), of which the first is (value, 2 value, 0; 0, 0, 3) and the second zero.
std::vector<double> rows_of(std::size_t count, double value) {
  std::vector<double> rows(12 * count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[12 * i] = value;
    rows[12 * i + 1] = 2 * value;
    rows[12 * i + 5] = 3;
  }
  return rows;
}

struct Lengths {
  std::size_t many, few;
};

}  // namespace

TEST_CASE("squares of rows in arrays of different length: each row counts once, whether or not it is looked at") {
  for (Lengths const lengths : {Lengths{100000, 9000}, {100000, 10}, {7000, 4100}, {20, 3}, {5000, 0}})
    for (bool all : {true, false})
      for (bool few_first : {true, false}) {
        CAPTURE(lengths.many);
        CAPTURE(lengths.few);
        CAPTURE(all);
        CAPTURE(few_first);
        std::vector<double> const ones = rows_of(lengths.many, 1), tens = rows_of(lengths.few, -10);
        std::vector<std::span<double const>> arrays{ones, tens};
        if (few_first) std::swap(arrays[0], arrays[1]);
        std::array<long double, Squares<double>::numbers> sums{};
        Squares<double> squares(sums, 6, 0, {0, 2});
        squares.add(GivenArrays<double const>(Arrays<double const>(arrays)), all);
        double const many = double(lengths.many), few = double(lengths.few), rows = many + few;
        CHECK(double(squares.rows()) == doctest::Approx(rows).epsilon(1e-15));
        double const square = (many + 100 * few) / rows, mean = (many - 10 * few) / rows;
        CHECK(double(squares.mean(0, 1)) == doctest::Approx(square).epsilon(1e-14));
        CHECK(double(squares.mean(0, 3)) == doctest::Approx(5 * square).epsilon(1e-14));
        CHECK(double(squares.square_of_mean(0)) == doctest::Approx(mean * mean).epsilon(1e-13));
        CHECK(double(squares.mean_of_products()) == doctest::Approx(45 * square).epsilon(1e-14));
        CHECK(double(squares.square_of_mean_product()) == doctest::Approx(45 * mean * mean).epsilon(1e-13));
      }
}

TEST_CASE("squares of rows that were added twice are those of all of them") {
  std::vector<double> const ones = rows_of(30000, 1), fives = rows_of(10000, 5);
  std::array<long double, Squares<double>::numbers> sums{};
  Squares<double> squares(sums, 6, -1, {0, 2});
  for (auto const* rows : {&ones, &fives})
    squares.add(GivenArrays<double const>(std::span<double const>(*rows)), false);
  CHECK(double(squares.rows()) == doctest::Approx(40000));
  CHECK(double(squares.mean(0, 1)) == doctest::Approx(7).epsilon(1e-14));
}

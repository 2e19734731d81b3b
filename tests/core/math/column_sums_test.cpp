// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/column_sums.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace nearfar;

TEST_CASE("sums over a column and of its squares, also where these leave the range of doubles") {
  for (double const scale : {1.0, 1e-150, 1e-170, 1e-300, 1e150, 1e300}) {
    CAPTURE(scale);
    for (std::size_t const rows : {1, 2, 3, 4, 5, 11, 64}) {
      CAPTURE(rows);
      std::vector<double> numbers(3 * rows);
      long double sum = 0, square = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        numbers[3 * i] = 7;  // another column
        double const number = numbers[3 * i + 1] = scale * (double(i % 5) - 1.5);
        sum += number;
        square += static_cast<long double>(number) * number;
      }
      auto const found = column_sums(std::span<double const>(numbers), 1, 3);
      CHECK(double(found.sum / scale) == doctest::Approx(double(sum / scale)));
      CHECK(double(found.square / scale / scale) == doctest::Approx(double(square / scale / scale)));
      CHECK(column_sums(std::span<double const>(numbers), 2, 3).square == 0);
    }
  }
}

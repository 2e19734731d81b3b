// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/lattice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace nearfar;

namespace {

double length(std::array<double, 3> const& row) { return std::sqrt(dot(row.data(), row.data())); }
double volume(CellRows const& rows) { return CellLattice::of(rows).volume(); }
double product_of_lengths(CellRows const& rows) { return length(rows[0]) * length(rows[1]) * length(rows[2]); }

CellRows random_rows(std::mt19937_64& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  CellRows rows;
  do
    for (auto& row : rows)
      for (double& c : row) c = number(random);
  while (fullness(rows) < 0.02);
  return rows;
}

/// Many steps that change the basis, not the lattice.
CellRows in_another_basis(CellRows rows, std::mt19937_64& random) {
  std::uniform_int_distribution<int> which(0, 2), times(-3, 3);
  for (int step = 0; step < 6; ++step) {
    int const i = which(random), j = (i + 1 + which(random) % 2) % 3, n = times(random);
    for (std::size_t c = 0; c < 3; ++c) rows[std::size_t(i)][c] += n * rows[std::size_t(j)][c];
  }
  return rows;
}

/// Whether some combination of the other rows, by up to three of each, shortens a row.
bool can_be_shortened(CellRows const& rows) {
  for (std::size_t i = 0; i < 3; ++i)
    for (int m = -3; m <= 3; ++m)
      for (int n = -3; n <= 3; ++n) {
        std::array<double, 3> x = rows[i];
        for (std::size_t c = 0; c < 3; ++c) x[c] += m * rows[(i + 1) % 3][c] + n * rows[(i + 2) % 3][c];
        if (length(x) < (1 - 1e-12) * length(rows[i])) return true;
      }
  return false;
}

std::array<double, 3> sorted_lengths(CellRows const& rows) {
  std::array<double, 3> lengths{length(rows[0]), length(rows[1]), length(rows[2])};
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

}  // namespace

TEST_CASE("lattice: reciprocal rows, heights, volume, shifts and waves of a cell, left-handed or not") {
  for (double hand : {1.0, -1.0}) {
    CellRows const rows{{{1, 0, 0}, {0.45, 0.9, 0}, {-0.3, 0.35, hand * 0.8}}};
    CellLattice const lattice = CellLattice::of(rows);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) CHECK(std::fabs(dot(lattice.reciprocal[i], lattice.row[j]) - (i == j)) < 1e-15);
    CHECK(lattice.volume() == doctest::Approx(0.72).epsilon(1e-15));
    CHECK(lattice.height[2] == doctest::Approx(0.8).epsilon(1e-15));
    CHECK(lattice.length(1) == doctest::Approx(std::hypot(0.45, 0.9)).epsilon(1e-15));
    double x[3], k[3];
    lattice.shift(2, -1, 3, x);
    CHECK(x[0] == doctest::Approx(2 - 0.45 - 0.9).epsilon(1e-15));
    CHECK(x[2] == doctest::Approx(hand * 2.4).epsilon(1e-15));
    for (int i = 0; i < 3; ++i) CHECK(lattice.fraction(i, x) == doctest::Approx(i == 0 ? 2 : i == 1 ? -1 : 3));
    lattice.wave(1, 2, -1, k);
    CHECK(dot(k, x) == doctest::Approx(2 * pi<double> * (2 - 2 - 3)).epsilon(1e-14));
    CHECK(fullness(rows) == doctest::Approx(0.72 / product_of_lengths(rows)).epsilon(1e-15));
  }
}

TEST_CASE("lattice: a reduced cell has the shortest rows, and its integers make them") {
  std::mt19937_64 random(1);
  for (int cell = 0; cell < 200; ++cell) {
    CellRows const rows = random_rows(random), other = in_another_basis(rows, random);
    ReducedCell const once = reduced(rows), again = reduced(other);
    CAPTURE(cell);
    CHECK(!can_be_shortened(once.rows));
    CHECK(!can_be_shortened(again.rows));
    CHECK(product_of_lengths(once.rows) <= std::sqrt(2.0) * volume(rows) * (1 + 1e-12));
    CHECK(volume(again.rows) == doctest::Approx(volume(rows)).epsilon(1e-11));
    auto const lengths = sorted_lengths(once.rows), others = sorted_lengths(again.rows);
    for (std::size_t i = 0; i < 3; ++i) CHECK(others[i] == doctest::Approx(lengths[i]).epsilon(1e-11));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) sum += double(again.steps[i][j]) * other[j][c];
        CHECK(sum == doctest::Approx(again.rows[i][c]).epsilon(1e-13).scale(1));
      }
    CHECK(reduced(once.rows).rows == once.rows);
  }
}

// By exchanges of rows for others as long as they are one could go round in circles.
TEST_CASE("lattice: where many rows are equally short, reducing again changes nothing") {
  std::mt19937_64 random(2);
  for (CellRows const& least :
       {CellRows{{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}}, CellRows{{{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}}},
        CellRows{{{2, 0, 0}, {1, 2, 0}, {1, 1, 2}}}, CellRows{{{2, 0, 0}, {1, 1, 0}, {0, 1, 1}}},
        CellRows{{{1, 0, 0}, {0.5, std::sqrt(0.75), 0}, {0, 0, std::sqrt(8.0 / 3)}}}})
    for (int basis = 0; basis < 400; ++basis) {
      CellRows const rows = in_another_basis(least, random), once = reduced(rows).rows;
      CAPTURE(basis);
      CHECK(!can_be_shortened(once));
      CHECK(reduced(once).rows == once);
    }
}

TEST_CASE("lattice: tilts that differ by whole rows, and ties, reduce to the same bits") {
  for (double tilt : {0.0, 0.25, -0.375, 0.5, -0.5}) {
    CellRows const least = reduced({{{1, 0, 0}, {tilt, 1.5, 0}, {0, 0, 2}}}).rows;
    for (int whole : {-7, -1, 1, 2, 1024}) {
      CHECK(reduced({{{1, 0, 0}, {tilt + whole, 1.5, 0}, {0, 0, 2}}}).rows == least);
      CHECK(reduced({{{1, 0, 0}, {tilt, 1.5, 0}, {double(whole), 0, 2}}}).rows == least);
    }
  }
  CHECK(reduced({{{1, 0, 0}, {-0.5, 1.5, 0}, {0, 0, 2}}}).rows[1][0] == 0.5);
  CellRows const cube{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, long_first{{{3, 0, 0}, {0, 1, 0}, {0, 0, 2}}};
  CHECK(reduced(cube).rows == cube);
  CHECK(reduced(long_first).rows == long_first);  // rows keep their places
  CellRows const fcc{{{0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}};
  CHECK(!can_be_shortened(reduced(fcc).rows));
}

TEST_CASE("lattice: rows that are nearly parallel are reduced as far as doubles go") {
  CellRows const rows{{{1, 0, 0}, {1e5 + 0.25, 1, 0}, {-3e5 + 0.125, 2.5, 1}}}, least = reduced(rows).rows;
  CHECK(least[1] == std::array<double, 3>{0.25, 1, 0});
  CHECK(volume(least) == doctest::Approx(1).epsilon(1e-14));
  CHECK(!can_be_shortened(least));
  CHECK(fullness(rows) < 1e-9);
  CHECK(fullness({{{1, 0, 0}, {2, 0, 0}, {0, 0, 1}}}) == 0);
}

TEST_CASE("lattice: rows that do not repeat are left alone") {
  CellRows const rows{{{1, 0, 0}, {0, 1, 0}, {2.25, 0, 0.85}}}, least = reduced(rows, {true, false, true}).rows;
  CHECK(least[2] == std::array<double, 3>{0.25, 0, 0.85});
  CHECK(least[1] == rows[1]);
  CHECK(reduced(rows, {true, false, false}).rows == rows);
}

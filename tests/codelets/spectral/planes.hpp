// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"
#include "core/spectral/layout.hpp"
#include "core/spectral/transforms.hpp"
#include "tests/codelets/blocked_set.hpp"

#include <cmath>
#include <complex>
#include <doctest/doctest.h>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace nearfar::test {

/// Slabs of planes and their transforms, of all kinds: odd sizes, ghosts, free directions, slabs and groups.
struct Case {
  int size[3], free;
  int transform[3];
  int room[2], ghosts;  ///< rows and columns behind the last
  int slabs, groups;
};

inline constexpr Case cases[] = {{{5, 7, 9}, 0, {5, 7, 9}, {0, 0}, 0, 2, 3},   // planes of odd size: not aligned
                                 {{4, 6, 5}, 0, {4, 6, 5}, {3, 11}, 2, 3, 5},  // ghosts
                                 {{3, 1, 4}, 0, {3, 1, 4}, {0, 0}, 0, 1, 1},   // no second direction
                                 {{5, 7, 3}, 1, {9, 7, 3}, {0, 0}, 0, 2, 2},
                                 {{5, 3, 4}, 1, {11, 3, 4}, {0, 0}, 0, 2, 2},
                                 {{3, 5, 7}, 2, {6, 11, 7}, {0, 0}, 0, 3, 4},
                                 {{3, 5, 40}, 2, {6, 10, 40}, {1, 7}, 1, 1, 4},  // several batches of columns
                                 {{2, 5, 7}, 3, {4, 9, 13}, {0, 0}, 0, 2, 5},
                                 {{2, 3, 20}, 3, {4, 6, 40}, {5, 12}, 3, 1, 7}};

inline SpectralLayout make_layout(Case const& c) {
  auto l = plain_layout({1, 1.2, 0.9}, {c.size[0], c.size[1], c.size[2]}, c.free,
                        {c.transform[0], c.transform[1], c.transform[2]});
  l.rows += c.room[0];
  l.row_length += c.room[1];
  l.ghosts = c.ghosts;
  l.slabs = c.slabs;
  l.columns = c.groups;
  return l;
}

/// Modes of z from the third on need fewer zeros along y.
inline SpectralLayout two_sections() {
  SpectralLayout l = make_layout({{3, 5, 9}, 2, {6, 14, 9}, {0, 3}, 0, 2, 3});
  l.paddings = 2;
  l.padding[1].size[0] = 5;
  l.padding[1].size[1] = 7;
  l.padding[1].lowest_squared = std::pow(l.mode_unit(2, 9) * 2, 2);
  set_sections(l);
  return l;
}

inline constexpr int components = 2;

/// One slab there and back: what the stages make of random values.
template <class T>
struct Planes {
  using Complex = std::complex<T>;
  SpectralLayout layout;
  int slab;
  AlignedVector<T> field;
  std::vector<AlignedVector<Complex>> tile;

  Planes(SpectralLayout const& l, int s)
      : layout(l), slab(s), field(std::size_t(components * l.planes(s) * l.plane_size()), T(NAN)) {
    std::mt19937 random(3);
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < l.planes(s); ++p)
        for (int y = 0; y < l.size[1]; ++y)
          for (int z = 0; z < l.size[2]; ++z) at(m, p, y, z) = T(random() / 4294967296.0 - 0.5);
    for (int g = 0; g < l.columns; ++g) tile.emplace_back(std::size_t(components * l.planes(s) * l.columns_in(g)));
  }

  T& at(int m, int p, int y, int z) {
    return field[std::size_t((m * layout.planes(slab) + p) * layout.plane_size() + y * layout.row_length + z)];
  }
  Complex& mode(int m, int p, int column) {
    int g = 0;
    while (layout.first_column(g + 1) <= column) ++g;
    return tile[std::size_t(g)]
               [std::size_t((m * layout.planes(slab) + p) * layout.columns_in(g) + column - layout.first_column(g))];
  }

  /// A mode by the definition.
  std::complex<double> mode_by_definition(int m, int p, ModeColumn const& c) {
    std::complex<double> sum = 0;
    int const ny = layout.transform(1, c.padding), nz = layout.row_transform();
    auto turn = [](int mode, int place, int n) { return double(mode * place % n) / n; };
    for (int y = 0; y < layout.size[1]; ++y)
      for (int z = 0; z < layout.size[2]; ++z)
        sum += double(at(m, p, y, z)) * std::polar(1.0, -2 * pi<double> * (turn(c.y, y, ny) + turn(c.z, z, nz)));
    return sum;
  }
};

/// What is no number stays in it.
struct Rms {
  double sum = 0, count = 0;
  void add(double error) { sum += error * error, ++count; }
  double value() const { return std::sqrt(sum / count); }
};

/// Transform::forward(planes) and inverse(planes) against the definition of the modes, and each other. Rows and columns
/// behind the ghosts may be left alone or filled with zeros.
template <class Transform, class T>
void check_planes(SpectralLayout const& l, double tolerance, Transform const& transform = {}) {
  for (int s = 0; s < l.slabs; ++s) {
    Planes<T> planes(l, s);
    Planes<T> given = planes;
    transform.forward(planes);
    CHECK(std::equal(given.field.begin(), given.field.end(), planes.field.begin(),
                     [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); }));
    Rms there, back;
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < l.planes(s); ++p)
        for (int i = 0; i < l.column_count(); ++i) {
          ModeColumn const c = l.column(i);
          auto const found = std::complex<double>(planes.mode(m, p, i));
          there.add(std::abs(found - given.mode_by_definition(m, p, c)));
          planes.mode(m, p, i) /= T(l.transform(1, c.padding) * l.row_transform());
        }
    CHECK(there.value() < tolerance * std::sqrt(l.size[1] * l.size[2]));

    std::fill(planes.field.begin(), planes.field.end(), T(NAN));
    transform.inverse(planes);
    bool untouched = true;
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < l.planes(s); ++p)
        for (int y = 0; y < l.rows; ++y)
          for (int z = 0; z < l.row_length; ++z) {
            double const found = double(planes.at(m, p, y, z));
            bool const ghosts = y < l.size[1] + l.ghosts, room = z >= l.size[2] + l.ghosts;
            if (!ghosts) untouched = untouched && (std::isnan(found) || found == 0);
            else back.add(std::abs(found - (room ? 0 : double(given.at(m, p, y % l.size[1], z % l.size[2])))));
          }
    CHECK(back.value() < tolerance);
    CHECK(untouched);
  }
}

/// A band that most modes of the layouts of `cases` are within.
inline constexpr double some_band = 9;

/// Transforms that leave modes out beyond a band find the others as those do that have all; and take them for zero on
/// the way back.
template <class Transform, class T>
void check_band(SpectralLayout const& all, double tolerance, Transform const& transform = {}) {
  SpectralLayout some = all;
  set_sections(some, some_band);
  std::map<std::pair<int, int>, int> numbers;
  for (int i = 0; i < all.column_count(); ++i) numbers[{all.column(i).y, all.column(i).z}] = i;
  for (int s = 0; s < all.slabs; ++s) {
    Planes<T> whole(all, s), cut(some, s);
    transform.forward(whole);
    transform.forward(cut);
    Planes<T> expected = whole;
    for (auto& tile : expected.tile) std::fill(tile.begin(), tile.end(), T(0));
    Rms there, back;
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < all.planes(s); ++p)
        for (int i = 0; i < some.column_count(); ++i) {
          ModeColumn const c = some.column(i);
          int const number = numbers.at({c.y, c.z});
          there.add(std::abs(std::complex<double>(cut.mode(m, p, i) - whole.mode(m, p, number))));
          expected.mode(m, p, number) = cut.mode(m, p, i) /= T(all.transform(1, c.padding) * all.row_transform());
        }
    transform.inverse(expected);
    transform.inverse(cut);
    for (std::size_t i = 0; i < cut.field.size(); ++i)
      if (!std::isnan(expected.field[i])) back.add(std::abs(double(cut.field[i] - expected.field[i])));
    CHECK(there.value() <= tolerance * std::sqrt(all.size[1] * all.size[2]));
    CHECK(back.value() <= tolerance);
  }
}

}  // namespace nearfar::test

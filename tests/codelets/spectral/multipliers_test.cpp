// SPDX-License-Identifier: BSD-3-Clause
// The table of multipliers in cells of any shape, every mode of it against its definition.
#include "codelets/spectral/scale/multipliers.hpp"
#include "core/math/constants.hpp"
#include "core/spectral/mode_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace nearfar;

namespace {

constexpr WindowShape window{.points = 8, .shape = 18};
constexpr int free_size = 2;

/// 60 degrees between two rows, and something else.
SpectralLayout skewed_layout(int free, double band) {
  constexpr double slant[3][3] = {{1.1, -0.6, 0.1}, {0, 1.2, 0.3}, {-0.4, 0.2, 1.2}};
  std::array<int, 3> const size{18, 15, 16};
  std::array<int, 3> transform = size;
  for (int d = 0; d < free; ++d) transform[std::size_t(d)] *= free_size;
  SpectralLayout l = plain_layout({1, 1.2, 0.9}, size, free, transform);
  l.skewed = true;
  std::copy_n(&slant[0][0], 9, &l.slant[0][0]);
  set_sections(l, band);
  return l;
}

template <class T>
EwaldTables<T> tables_for(int free, double band, bool truncated) {
  EwaldTables<T> tables;
  tables.far = {T(band * band), T(2 / (band * band)), T(4 * pi<double>), T(0), {2, {T(0.4), T(-0.5), T(0.1)}}};
  tables.far_pressure = {T(band * band), T(2 / (band * band)), T(8 * pi<double>), T(0), {1, {T(0.5), T(-0.5)}}};
  if (truncated) tables.truncation = {1.3, free, true};
  tables.pressure_truncation = tables.truncation;
  return tables;
}

double correction(int mode, int n) {
  if (2 * std::abs(mode) == n) return 0;
  double const transform =
      0.5 * window.points * window_transform(window, pi<double> * std::abs(mode) * window.points / n);
  return 1 / (transform * transform);
}

/// Modes within the band.
template <class T>
int check(SpectralLayout const& l, EwaldTables<T> const& tables, bool pressure, double tolerance) {
  int const numbers = pressure ? 2 : 1;
  std::vector<T> data(std::size_t(numbers * ModeTable<T>::size(l)), T(-7));
  fill_multipliers(l, tables, window, data.data(), pressure);
  ModeTable<T> const table(l, data.data(), numbers);
  int inside = 0, wrong = 0;
  for (int number = 0; number < l.column_count(); ++number) {
    ModeColumn const c = l.column(number);
    int const n[3] = {l.transform(0, c.padding), l.transform(1, c.padding), l.row_transform()};
    for (int i = 0; i < n[0]; ++i) {
      int const mode[3] = {signed_mode(i, n[0]), signed_mode(c.y, n[1]), c.z};
      double k[3] = {}, volume = l.fullness(), windows = 1, k2 = 0;
      for (int d = 0; d < 3; ++d) {
        volume *= n[d] / l.scale(d);
        windows *= correction(mode[d], n[d]);
        for (int e = 0; e < 3; ++e) k[e] += l.mode_unit(d, n[d]) * mode[d] * l.slant[d][e];
      }
      for (double const component : k) k2 += component * component;
      if (std::abs(k2 / double(tables.far.band_squared) - 1) < 1e-5) continue;  // in or out, by rounding
      inside += k2 < double(tables.far.band_squared);
      for (int m = 0; m < numbers; ++m) {
        auto const& far = m == 0 ? tables.far : tables.far_pressure;
        double const cut = l.free > 0 && k2 > 0 ? tables.truncation(k2) : 1,
                     exact = (k2 > 0 ? double(far(T(k2))) * cut : 1) * windows / volume,
                     found = double(table.row(c)[numbers * i + m]);
        wrong += !(std::abs(found - exact) <= tolerance * (std::abs(exact) + 1e-6 * windows / volume));
      }
    }
  }
  CHECK(wrong == 0);
  return inside;
}

}  // namespace

TEST_CASE("multipliers in a skewed cell: every mode, of small bands and of those wider than the grid") {
  for (int const free : {0, 1})
    for (bool const pressure : {false, true})
      for (double const band : {9.0, 30.0, 60.0, 400.0}) {
        CAPTURE(free);
        CAPTURE(pressure);
        CAPTURE(band);
        SpectralLayout const l = skewed_layout(free, band);
        CHECK(check(l, tables_for<double>(free, band, free > 0), pressure, 1e-10) > 0);
        check(l, tables_for<float>(free, band, free > 0), pressure, 1e-3);
      }
}

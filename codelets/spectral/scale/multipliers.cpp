// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/multipliers.hpp"

#include "core/math/constants.hpp"
#include "core/spectral/column_modes.hpp"
#include "core/spectral/mode_table.hpp"

#include <cstdlib>
#include <vector>

namespace nearfar {

namespace {

/// 1 / window transform squared for the modes 0 .. half of n; none for the Nyquist mode.
template <class T>
std::vector<T> corrections(WindowShape const& window, int n) {
  std::vector<T> all;
  for (int mode = 0; mode <= n / 2; ++mode) {
    double const transform = 0.5 * window.points * window_transform(window, pi<double> * mode * window.points / n);
    all.push_back(2 * mode == n ? T(0) : T(1 / (transform * transform)));
  }
  return all;
}

/// Those of the columns in a skewed cell, where no two wave vectors of one half have the same length for certain.
template <class T>
class SkewedColumns {
 public:
  SkewedColumns(SpectralLayout const& l, EwaldTables<T> const& tables, WindowShape const& window, bool pressure)
      : l_(l), tables_(tables), pressure_(pressure), along_z_(corrections<T>(window, l.row_transform())) {
    for (int p = 0; p < l.paddings; ++p) {
      along_x_.push_back(corrections<T>(window, l.padding[p].size[0]));
      along_y_.push_back(corrections<T>(window, l.padding[p].size[1]));
    }
  }

  void fill(ModeColumn const& c, T* row) const {
    auto const p = std::size_t(c.padding);
    int const n = l_.transform(0, c.padding), ny = l_.transform(1, c.padding);
    double const unit[3] = {l_.mode_unit(0, n), l_.mode_unit(1, ny), l_.mode_unit(2, l_.row_transform())},
                 volume = 8 * pi<double> * pi<double> * pi<double> * l_.fullness() / (unit[0] * unit[1] * unit[2]);
    T const correction = along_y_[p][std::size_t(std::abs(signed_mode(c.y, ny)))] * along_z_[std::size_t(c.z)];
    ColumnModes<double> modes(l_, c, n);
    for (int ix = 0; ix < n; ++ix) {
      int const x = signed_mode(ix, n);
      double const k2 = modes.at(x).squared;
      T const of_window = correction * along_x_[p][std::size_t(std::abs(x))];
      auto const number = [&](FarMultiplier<T> const& far, Truncation const& truncation) {
        T multiplier = k2 > 0 ? far(T(k2)) : T(1);
        if (l_.free > 0 && c.padding == 0 && k2 > 0 && multiplier != 0) multiplier *= T(truncation(k2));
        return multiplier != 0 ? multiplier * of_window * T(1 / volume) : T(0);
      };
      T* const to = row + (pressure_ ? 2 : 1) * modes.place(x);
      to[0] = number(tables_.far, tables_.truncation);
      if (pressure_) to[1] = number(tables_.far_pressure, tables_.pressure_truncation);
    }
  }

 private:
  SpectralLayout const& l_;
  EwaldTables<T> const& tables_;
  bool pressure_;
  std::vector<T> along_z_;
  std::vector<std::vector<T>> along_x_, along_y_;
};

}  // namespace

template <class T>
void fill_multipliers(SpectralLayout const& l, EwaldTables<T> const& tables, WindowShape const& window, T* data,
                      bool pressure, Loop const& loop) {
  int const numbers = pressure ? 2 : 1;
  ModeTable<T> const multipliers(l, data, numbers);
  if (l.skewed) {
    SkewedColumns<T> const columns(l, tables, window, pressure);
    auto const count = std::size_t(l.column_count());
    in_parts(loop, count, parts_for(count, 1 << 8), [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t number = first; number < last; ++number)
        columns.fill(l.column(int(number)), multipliers.row(l.column(int(number))));
    });
    return;
  }
  std::vector<T> const along_z = corrections<T>(window, l.row_transform());
  std::vector<std::vector<T>> along_x, along_y;
  for (int p = 0; p < l.paddings; ++p) {
    along_x.push_back(corrections<T>(window, l.padding[p].size[0]));
    along_y.push_back(corrections<T>(window, l.padding[p].size[1]));
  }
  for (int number = 0; number < l.column_count(); ++number) {
    ModeColumn const c = l.column(number);
    if (2 * c.y > l.transform(1, c.padding)) continue;  // the reflection of one before
    int const n = l.transform(0, c.padding);
    double const unit[3] = {l.mode_unit(0, n), l.mode_unit(1, l.transform(1, c.padding)),
                            l.mode_unit(2, l.row_transform())},
                 ky = unit[1] * c.y, kz = unit[2] * c.z;
    bool const truncated = l.free > 0 && c.padding == 0;
    T const yz = T(ky) * T(ky) + T(kz) * T(kz),
            inverse_volume = T(unit[0] * unit[1] * unit[2] / (8 * pi<double> * pi<double> * pi<double>)),
            correction = along_y[std::size_t(c.padding)][std::size_t(c.y)] * along_z[std::size_t(c.z)] * inverse_volume;
    T* const row = multipliers.row(c);
    for (int ix = 0; ix <= n / 2; ++ix) {
      double const kx = unit[0] * ix;
      T const k2 = T(kx) * T(kx) + yz;
      auto const put = [&](FarMultiplier<T> const& far, Truncation const& truncation, T& to) {
        T multiplier = k2 > 0 ? far(k2) : T(1);
        // The phase of the truncation is large, so it is computed in double even for single precision.
        if (truncated && k2 > 0 && multiplier != 0) multiplier *= T(truncation(kx * kx + ky * ky + kz * kz));
        // Beyond the band a wide window's transform nearly vanishes, and its correction may be infinite.
        to = multiplier != 0 ? multiplier * (correction * along_x[std::size_t(c.padding)][std::size_t(ix)]) : T(0);
      };
      put(tables.far, tables.truncation, row[numbers * ix]);
      if (pressure) put(tables.far_pressure, tables.pressure_truncation, row[numbers * ix + 1]);
    }
  }
}

template void fill_multipliers(SpectralLayout const&, EwaldTables<double> const&, WindowShape const&, double*, bool,
                               Loop const&);
template void fill_multipliers(SpectralLayout const&, EwaldTables<float> const&, WindowShape const&, float*, bool,
                               Loop const&);

}  // namespace nearfar

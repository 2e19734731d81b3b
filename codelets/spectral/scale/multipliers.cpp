// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/multipliers.hpp"

#include "core/math/constants.hpp"
#include "core/spectral/mode_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
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
    int const n = l_.transform(0, c.padding), ny = l_.transform(1, c.padding), numbers = pressure_ ? 2 : 1;
    double const unit[3] = {l_.mode_unit(0, n), l_.mode_unit(1, ny), l_.mode_unit(2, l_.row_transform())},
                 volume = 8 * pi<double> * pi<double> * pi<double> * l_.fullness() / (unit[0] * unit[1] * unit[2]),
                 y = unit[1] * signed_mode(c.y, ny), z = unit[2] * c.z;
    auto const p = std::size_t(c.padding);
    Line line;
    line.correction =
        T(1 / volume) * along_y_[p][std::size_t(std::abs(signed_mode(c.y, ny)))] * along_z_[std::size_t(c.z)];
    line.along_x = along_x_[p].data();
    line.truncated = l_.free > 0 && c.padding == 0;
    for (int d = 0; d < 3; ++d) {
      line.at_zero[d] = y * l_.slant[1][d] + z * l_.slant[2][d];
      line.step[d] = unit[0] * l_.slant[0][d];
    }
    auto const [first, last] = line.within(double(tables_.far.band_squared), -((n - 1) / 2), n / 2);
    int const below = std::min(last + 1, 0), above = std::max(first, 0);  // modes below 0 come last
    std::fill_n(row, std::int64_t(numbers) * n, T(0));
    fill(line, above, last, row + std::int64_t(numbers) * above);
    if (first < 0) fill(line, first, below - 1, row + std::int64_t(numbers) * (first + n));
  }

 private:
  /// Wave vectors of a column, and what its modes share.
  struct Line {
    double at_zero[3], step[3];  ///< the one of mode 0, and from one mode to the next
    T correction;                ///< of the windows across the column, over the volume
    T const* along_x;
    bool truncated;

    double squared(int x) const {
      double const k[3] = {at_zero[0] + x * step[0], at_zero[1] + x * step[1], at_zero[2] + x * step[2]};
      return k[0] * k[0] + (k[1] * k[1] + k[2] * k[2]);
    }
    /// The modes between two that may be within a band.
    std::pair<int, int> within(double band_squared, int least, int most) const {
      double const step2 = dot(step, step), middle = -dot(at_zero, step) / step2,
                   rest = band_squared - dot(at_zero, at_zero) + middle * middle * step2;
      double const reach = std::sqrt(std::max(0.0, rest) / step2) + 1;
      return {int(std::clamp(std::floor(middle - reach), double(least), double(most))),
              int(std::clamp(std::ceil(middle + reach), double(least), double(most)))};
    }
  };

  void fill(Line const& line, int first, int last, T* to) const {
    put(line, first, last, tables_.far, tables_.truncation, to);
    if (pressure_) put(line, first, last, tables_.far_pressure, tables_.pressure_truncation, to + 1);
  }

  /// One number of modes first to last, in batches that compilers turn into vectors.
  void put(Line const& line, int first, int last, FarMultiplier<T> const& far, Truncation const& truncation,
           T* to) const {
    constexpr int batch = 16;
    int const numbers = pressure_ ? 2 : 1;
    for (int from = first; from <= last; from += batch) {
      double k2[batch];
      T t[batch], shape[batch];
      for (int i = 0; i < batch; ++i) k2[i] = line.squared(from + i);
      for (int i = 0; i < batch; ++i) t[i] = far.scale * T(k2[i]) - T(1);
      for (int i = 0; i < batch; ++i) shape[i] = far.shape.coefficient[far.shape.degree];
      for (int d = far.shape.degree - 1; d >= 0; --d)
        for (int i = 0; i < batch; ++i) shape[i] = shape[i] * t[i] + far.shape.coefficient[d];
      for (int i = 0; i < batch && from + i <= last; ++i, to += numbers) {
        if (T(k2[i]) > far.band_squared) continue;  // a wide window's correction may be infinite there
        T multiplier = k2[i] > 0 ? far.prefactor / (T(k2[i]) + far.shift) * shape[i] : T(1);
        // The phase of the truncation is large, so it is computed in double even for single precision.
        if (line.truncated && k2[i] > 0) multiplier *= T(truncation(k2[i]));
        if (multiplier != 0) *to = multiplier * line.correction * line.along_x[std::abs(from + i)];
      }
    }
  }

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

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/influence/influence.hpp"

#include "codelets/spectral/influence/lines.hpp"

#include <algorithm>
#include <string>

namespace nearfar {

namespace {

/// The planes of one sample along x, for all numbers of a mode.
class Plane {
 public:
  Plane(InfluenceFunction const& f, int x, double const* corrections, double* scratch)
      : f_(f), y_samples_(f.axis[1].samples()), z_samples_(f.axis[2].samples()), z_modes_(f.axis[2].modes()),
        kx_(f.wave_number(0, x)), lines_(scratch), radial_(scratch + line_scratch(f)),
        pressure_(radial_ + std::int64_t(y_samples_) * z_samples_),
        rows_(pressure_ + (f.parts.pressure ? std::int64_t(y_samples_) * z_samples_ : 0)) {
    double const* const along_y = corrections + f.first_correction(1);
    double const* const along_z = corrections + f.first_correction(2);
    for (int y = 0; y < y_samples_; ++y)
      for (int z = 0; z < z_samples_; ++z) {
        double const k2 = squared(wave_vector(y, z));
        // Beyond the band a wide window's transform nearly vanishes, and its correction may be infinite.
        auto const corrected = [&](double multiplier) {
          return multiplier == 0 ? 0 : multiplier * corrections[x] * along_y[y] * along_z[z];
        };
        radial_[place(y, z)] = corrected(f.radial(k2));
        if (f.parts.pressure) pressure_[place(y, z)] = corrected(f.radial_of_pressure(k2));
      }
  }

  void fill(int number, double* out) {
    map_rows(number);
    for (int z = 0; z < z_modes_; z += line_batch) {
      int const count = std::min(line_batch, z_modes_ - z);
      for (int y = 0; y < y_samples_; ++y)
        std::fill(std::copy_n(rows_ + std::int64_t(y) * z_modes_ + z, count, line(y)), line(y + 1), 0.0);
      map_lines(f_.axis[1], is_odd(f_.number(number), 1), lines_);
      for (int y = 0; y < f_.axis[1].modes(); ++y) std::copy_n(line(y), count, out + std::int64_t(y) * z_modes_ + z);
    }
  }

 private:
  std::array<double, 3> wave_vector(int y, int z) const { return {kx_, f_.wave_number(1, y), f_.wave_number(2, z)}; }
  static double squared(std::array<double, 3> const& k) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }
  std::int64_t place(int y, int z) const { return std::int64_t(y) * z_samples_ + z; }
  double* line(int place) { return lines_ + std::int64_t(place) * line_batch; }

  /// Maps along z, to [y sample][z mode]. Rows beyond the band are zero.
  void map_rows(int number) {
    double const* const radial = f_.number(number).kind == InfluenceNumber::pressure ? pressure_ : radial_;
    for (int y = 0; y < y_samples_; y += line_batch) {
      int const count = std::min(line_batch, y_samples_ - y);
      double* const rows = rows_ + std::int64_t(y) * z_modes_;
      if (squared(wave_vector(y, 0)) > f_.far.band_squared) {
        std::fill_n(rows, std::int64_t(count) * z_modes_, 0.0);
        continue;
      }
      for (int z = 0; z < z_samples_; ++z) {
        for (int i = 0; i < count; ++i) {
          auto const k = wave_vector(y + i, z);
          line(z)[i] = radial[place(y + i, z)] * influence_value(f_, f_.number(number), k, squared(k));
        }
        std::fill(line(z) + count, line(z + 1), 0.0);
      }
      map_lines(f_.axis[2], is_odd(f_.number(number), 2), lines_);
      for (int i = 0; i < count; ++i)
        for (int z = 0; z < z_modes_; ++z) rows[std::int64_t(i) * z_modes_ + z] = line(z)[i];
    }
  }

  InfluenceFunction const& f_;
  int y_samples_, z_samples_, z_modes_;
  double kx_;
  double *lines_, *radial_, *pressure_, *rows_;
};

}  // namespace

std::int64_t influence_scratch(InfluenceFunction const& f) {
  int const radials = f.parts.pressure ? 2 : 1;
  return line_scratch(f) + std::int64_t(f.axis[1].samples()) * (radials * f.axis[2].samples() + f.axis[2].modes());
}

void fill_influence_planes(InfluenceFunction const& f, double const* corrections, int first, int count, double* scratch,
                           double* planes) {
  for (int x = first; x < first + count; ++x) {
    Plane plane(f, x, corrections, scratch);
    for (int number = 0; number < f.numbers(); ++number, planes += f.plane()) plane.fill(number, planes);
  }
}

template <class T>
void fill_influence_columns(InfluenceFunction const& f, std::vector<std::span<double const>> const& slabs,
                            std::int64_t first, std::int64_t count, double* scratch, T* rows) {
  std::int64_t const plane = f.plane(), all = plane * f.numbers();
  int const numbers = f.numbers(), modes = f.axis[0].modes();
  for (std::int64_t done = 0; done < count; done += line_batch)
    for (int number = 0; number < numbers; ++number) {
      auto const columns = std::min<std::int64_t>(line_batch, count - done);
      double* to = scratch;
      for (auto const& slab : slabs)
        for (double const* sample = slab.data(); sample < slab.data() + slab.size(); sample += all, to += line_batch)
          std::fill(std::copy_n(sample + number * plane + first + done, columns, to), to + line_batch, 0.0);
      map_lines(f.axis[0], is_odd(f.number(number), 0), scratch);
      for (std::int64_t i = 0; i < columns; ++i)
        for (int x = 0; x < modes; ++x)
          rows[((done + i) * modes + x) * numbers + number] = T(scratch[std::int64_t(x) * line_batch + i]);
    }
}

void InfluencePlanes::portable(Buffers const& b, Args const& args) {
  fill_influence_planes(args.function, b.get<double const>(0), args.first, args.count, b.get<double>(1),
                        b.get<double>(2));
}

template <class T>
void InfluenceColumns<T>::portable(Buffers const& b, Args const& args) {
  std::vector<std::span<double const>> slabs;
  for (int s = 0; s < b.count(0); ++s) slabs.emplace_back(b.get<double const>(0, s), std::size_t(b.size<double>(0, s)));
  fill_influence_columns(args.function, slabs, args.first, args.count, b.get<double>(1), b.get<T>(2));
}

#define NEARFAR_INSTANTIATE(T)                                                                                \
  template void fill_influence_columns(InfluenceFunction const&, std::vector<std::span<double const>> const&, \
                                       std::int64_t, std::int64_t, double*, T*);                              \
  template struct InfluenceColumns<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

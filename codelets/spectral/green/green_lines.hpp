// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/green/green.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace nearfar {

/// Samples of planes of a kernel where all directions are open, [x][y][z].
struct GreenSamples {
  double unit[3];  ///< of distances or wave numbers
  double radius;   ///< where the kernel is cut, or 0: samples in space
  double scale, central;
  int first, size[2];  ///< plane; rows of a plane, and samples of a row
  double* to;

  GreenSamples(GreenFunction const& g, int first_, double* to_)
      : radius(g.radius), scale(g.scale), first(first_), size{g.axis[1].samples(), g.axis[2].samples()}, to(to_) {
    for (int d = 0; d < 3; ++d) unit[d] = g.radius > 0 ? g.axis[d].mode_unit() : g.axis[d].spacing;
    std::vector<double> row(std::size_t(g.axis[2].samples()));
    sample_green_row(g, 0, 0, row.data());
    central = row[0];
  }

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    double const x = unit[0] * double(first + i / size[1] / size[0]), y = unit[1] * double(i / size[1] % size[0]),
                 z = unit[2] * double(i % size[1]), r = std::sqrt(x * x + y * y + z * z);
    if (r == 0) to[i] = central;
    else if (radius == 0) to[i] = scale / (4 * pi<double> * r);
    else {
      double const s = std::sin(0.5 * radius * r) / r;
      to[i] = scale * 2 * s * s;
    }
  }
};

/// How lines lie in memory, in doubles: their points one after the other, or those of all lines together.
struct GreenLines {
  std::int64_t point, line;

  static GreenLines rows(std::int64_t points) { return {1, points}; }
  static GreenLines columns(std::int64_t lines) { return {lines, 1}; }
  /// Calls f(point, line) for number i of so many.
  template <class F>
  NEARFAR_FUNCTION void split(std::int64_t i, std::int64_t points, std::int64_t lines, F const& f) const {
    if (point == 1) f(i % points, i / points);
    else f(i / lines, i % lines);
  }
};

/// Even sequences of n points from their first n / 2 + 1.
struct ExtendLines {
  double const* from;
  GreenLines in;
  double* to;
  GreenLines out;
  std::int64_t n, lines;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    out.split(i, n, lines,
              [&](std::int64_t p, std::int64_t l) { to[i] = from[(2 * p <= n ? p : n - p) * in.point + l * in.line]; });
  }
};

/// Where the points of lines go, the numbers of which are (outer, inner) pairs.
struct GreenPlaces {
  std::int64_t inner, outer_stride, inner_stride, point_stride;

  NEARFAR_FUNCTION std::int64_t at(std::int64_t point, std::int64_t line) const {
    return line / inner * outer_stride + line % inner * inner_stride + point * point_stride;
  }
};

template <class T>
struct PlaceLines {
  double const* from;
  GreenLines in;  ///< of `from`, numbers that are two doubles apart
  T* to;
  GreenPlaces places;
  double factor;
  std::int64_t points, lines;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    in.split(i, points, lines, [&](std::int64_t p, std::int64_t l) {
      to[places.at(p, l)] = T(factor * from[2 * (p * in.point + l * in.line)]);
    });
  }
};

/// Planes with other ones before and behind them in memory, of which some columns are wanted: [x][column].
struct CopyColumns {
  double const* planes;
  std::int64_t plane, first, count;
  double* to;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { to[i] = planes[i / count * plane + first + i % count]; }
};

/// What GPUs do for a Green's function whose directions are all open: even sequences are transformed as wholes, many at
/// a time. The runner is a stream of a GPU, or a test's on the host; it has
///   space(doubles)                              work space until it goes, with data()
///   for_all(count, body)                        body(0) .. body(count - 1), in any order
///   transform(n, lines, in, from, out, to)      real sequences to modes; `out` counts complex numbers
template <class Runner>
class GreenProgram {
 public:
  GreenProgram(Runner& runner, GreenFunction const& green, std::size_t part_bytes)
      : runner_(runner), g_(green), part_(std::int64_t(part_bytes / sizeof(double))) {}

  /// Planes `first` .. first + count - 1 of modes along y and z.
  void planes(int first, int count, double* out) {
    std::int64_t const y = g_.axis[1].samples(), z = g_.axis[2].samples(), my = g_.axis[1].modes(),
                       mz = g_.axis[2].modes();
    int const most = int(std::clamp<std::int64_t>(part_ / (2 * y * longest()), 1, count));
    auto samples = runner_.space(most * y * z), turned = runner_.space(most * y * mz);
    for (int done = 0; done < count; done += most) {
      std::int64_t const planes = std::min(most, count - done);
      runner_.for_all(planes * y * z, GreenSamples(g_, first + done, samples.data()));
      map(2, planes * y, samples.data(), GreenLines::rows(z), turned.data(), {y, mz, planes * mz, 1}, 1.0);
      map(1, planes * mz, turned.data(), GreenLines::columns(planes * mz), out + done * my * mz, {mz, my * mz, 1, mz},
          1.0);
    }
  }

  /// Columns `first` .. first + count - 1 of the table. `fill`(first, count, [x][column]) has their samples along x.
  template <class T, class Fill>
  void columns(std::int64_t first, std::int64_t count, double factor, Fill const& fill, T* table) {
    std::int64_t const x = g_.axis[0].samples(), modes = g_.axis[0].modes();
    std::int64_t const most = std::clamp<std::int64_t>(part_ / longest(), 1, std::max<std::int64_t>(1, count));
    auto samples = runner_.space(most * x);
    for (std::int64_t done = 0; done < count; done += most) {
      std::int64_t const lines = std::min(most, count - done);
      fill(first + done, lines, samples.data());
      map(0, lines, samples.data(), GreenLines::columns(lines), table + (first + done) * modes, {lines, 0, modes, 1},
          factor);
    }
  }

 private:
  std::int64_t longest() const {
    std::int64_t n = 2;
    for (auto const& axis : g_.axis) n = std::max<std::int64_t>({n, axis.transform(), axis.cut});
    return n;
  }

  /// The map of one axis (core/poisson/green.hpp).
  template <class T>
  void map(int d, std::int64_t lines, double const* from, GreenLines in, T* to, GreenPlaces const& places,
           double factor) {
    GreenAxis const& axis = g_.axis[d];
    std::int64_t const n = std::max(axis.cut, axis.transform());
    auto whole = runner_.space(n * lines), modes = runner_.space((n + 2) * lines);
    bool const rows = in.point == 1;
    auto const transform = [&](std::int64_t length, double const* values, GreenLines of_values) {
      GreenLines const real = rows ? GreenLines::rows(length) : GreenLines::columns(lines),
                       half = rows ? GreenLines::rows(length / 2 + 1) : GreenLines::columns(lines);
      runner_.for_all(length * lines, ExtendLines{values, of_values, whole.data(), real, length, lines});
      runner_.transform(int(length), lines, real, whole.data(), half, modes.data());
      return half;
    };
    GreenLines half{};
    if (axis.cut > 0) {
      half = transform(axis.cut, from, in);
      from = modes.data();
      in = {2 * half.point, 2 * half.line};
    }
    half = transform(axis.transform(), from, in);
    runner_.for_all(axis.modes() * lines, PlaceLines<T>{modes.data(), half, to, places, factor, axis.modes(), lines});
  }

  Runner& runner_;
  GreenFunction const& g_;
  std::int64_t part_;  ///< doubles
};

}  // namespace nearfar

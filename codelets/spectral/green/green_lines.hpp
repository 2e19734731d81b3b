// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/green/green.hpp"
#include "core/poisson/green_samples.hpp"

#include <algorithm>

namespace nearfar {

/// Samples of planes from `first` on, [x][y][z].
struct SamplePlanes {
  GreenSamples sample;
  int first, size[2];  ///< plane; rows of a plane, and samples of a row
  double* to;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    to[i] = sample(first + int(i / size[1] / size[0]), int(i / size[1] % size[0]), int(i % size[1]));
  }
};

/// How lines are stored, in doubles: one after another, or interleaved point by point.
struct GreenLines {
  std::int64_t point, line;

  static GreenLines rows(std::int64_t points) { return {1, points}; }
  static GreenLines columns(std::int64_t lines) { return {lines, 1}; }
  /// Calls f(point, line) for the number i among so many.
  template <class F>
  NEARFAR_FUNCTION void split(std::int64_t i, std::int64_t points, std::int64_t lines, F const& f) const {
    if (point < line) f(i % points, i / points);
    else f(i / lines, i % lines);
  }
};

/// Extends even sequences from their first n / 2 + 1 points to n.
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

/// Where the points of lines go, whose numbers are (outer, inner) pairs.
struct GreenPlaces {
  std::int64_t inner, outer_stride, inner_stride, point_stride;

  NEARFAR_FUNCTION std::int64_t at(std::int64_t point, std::int64_t line) const {
    return line / inner * outer_stride + line % inner * inner_stride + point * point_stride;
  }
};

template <class T>
struct PlaceLines {
  double const* from;
  GreenLines in;  ///< of `from`, in doubles
  T* to;
  GreenPlaces places;
  double factor;
  std::int64_t points, lines;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    in.split(i, points, lines, [&](std::int64_t p, std::int64_t l) {
      to[places.at(p, l)] = T(factor * from[p * in.point + l * in.line]);
    });
  }
};

/// Planes within a larger array, of which some columns are wanted: [x][column].
struct CopyColumns {
  double const* planes;
  std::int64_t plane, first, count;
  double* to;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { to[i] = planes[i / count * plane + first + i % count]; }
};

/// The Green's function as GPUs compute it: even sequences are transformed as a whole, many at a time; along
/// periodic directions, samples are modes. The runner is a GPU stream, or a test's on the host; it provides
///   space(doubles)                              work space until it goes, with data()
///   for_all(count, body)                        body(0) .. body(count - 1), in any order
///   transform(n, lines, in, from, out, to)      real sequences to modes; `out` counts complex numbers
template <class Runner>
class GreenProgram {
 public:
  /// `shared`: shared_terms, needed by planes().
  GreenProgram(Runner& runner, GreenFunction const& green, SharedTerms const* shared, std::size_t part_bytes)
      : runner_(runner), g_(green), shared_(shared), part_(std::int64_t(part_bytes / sizeof(double))) {}

  /// Planes `first` .. first + count - 1 of modes along y and z.
  void planes(int first, int count, double* out) {
    std::int64_t const y = g_.axis[1].samples(), z = g_.axis[2].samples(), my = g_.axis[1].modes(),
                       mz = g_.axis[2].modes();
    int const most = int(std::clamp<std::int64_t>(part_ / (2 * y * longest()), 1, count));
    auto samples = runner_.space(most * y * z), turned = runner_.space(most * y * mz);
    for (int done = 0; done < count; done += most) {
      std::int64_t const planes = std::min(most, count - done);
      runner_.for_all(planes * y * z,
                      SamplePlanes{GreenSamples(g_, shared_), first + int(done), {int(y), int(z)}, samples.data()});
      map(2, planes * y, samples.data(), GreenLines::rows(z), turned.data(), {y, mz, planes * mz, 1}, 1.0);
      map(1, planes * mz, turned.data(), GreenLines::columns(planes * mz), out + done * my * mz, {mz, my * mz, 1, mz},
          1.0);
    }
  }

  /// Columns `first` .. first + count - 1 of the table. `fill`(first, count, [x][column]) provides samples along x.
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
    auto const place = [&](double const* modes, GreenLines of_modes) {
      runner_.for_all(axis.modes() * lines, PlaceLines<T>{modes, of_modes, to, places, factor, axis.modes(), lines});
    };
    if (!axis.open) return place(from, in);
    std::int64_t const n = std::max(axis.cut, axis.transform());
    auto whole = runner_.space(n * lines), modes = runner_.space((n + 2) * lines);
    bool const rows = in.point < in.line;
    auto const transform = [&](std::int64_t length) {
      GreenLines const real = rows ? GreenLines::rows(length) : GreenLines::columns(lines),
                       half = rows ? GreenLines::rows(length / 2 + 1) : GreenLines::columns(lines);
      runner_.for_all(length * lines, ExtendLines{from, in, whole.data(), real, length, lines});
      runner_.transform(int(length), lines, real, whole.data(), half, modes.data());
      from = modes.data();  // of complex numbers the real parts
      in = {2 * half.point, 2 * half.line};
    };
    if (axis.cut > 0) transform(axis.cut);
    transform(axis.transform());
    place(from, in);
  }

  Runner& runner_;
  GreenFunction const& g_;
  SharedTerms const* shared_;
  std::int64_t part_;  ///< doubles
};

}  // namespace nearfar

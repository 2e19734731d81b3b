// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/arrangement.hpp"

#include "core/math/constants.hpp"
#include "core/plan/ewald/sample.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace nearfar {

namespace {

constexpr std::size_t most = std::size_t(1) << 15;  // points whose spread is looked at

/// exp(2 pi i turns) for at most half a turn, to 1e-9: points that move wait for some thousands of these at every step,
/// and the library's were half of what looking at a sample took.
std::complex<double> turned(double turns) {
  double const x = pi<double> * turns, y = x * x;  // the half angle, by its Taylor series
  double const sine = x * (1 + y * (-1 / 6.0 +
                                    y * (1 / 120.0 + y * (-1 / 5040.0 + y * (1 / 362880.0 + y * (-1 / 39916800.0 +
                                                                                                 y / 6227020800.0)))))),
               cosine =
                   1 + y * (-1 / 2.0 +
                            y * (1 / 24.0 + y * (-1 / 720.0 +
                                                 y * (1 / 40320.0 + y * (-1 / 3628800.0 +
                                                                         y * (1 / 479001600.0 - y / 87178291200.0))))));
  return {cosine * cosine - sine * sine, 2 * sine * cosine};
}

/// The mean of exp(2 pi i x / period) along an axis.
template <class T>
double order_along(std::size_t d, double period, std::span<T const> rows, LengthUnit const& unit) {
  std::size_t const points = rows.size() / 3, count = std::min(points, most);
  double const frequency = 1 / period;
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (double const turns = unit.ours(double(rows[3 * sampled(i, count, points) + d])) * frequency;
        std::isfinite(turns))
      sum += turned(turns - std::nearbyint(turns));
  return std::abs(sum) / double(std::max<std::size_t>(count, 1));
}

/// Whether a few points are the same after a shift by a good part of the box: a cell of a crystal, several times.
/// Hardly by chance, as each of them must be there within a fiftieth of each edge.
template <class T>
bool repeat_within(std::array<double, 3> const& box, std::span<T const> rows, LengthUnit const& unit) {
  constexpr std::size_t fewest = 4, few = 12;
  constexpr double same_place = 0.02, shifted = 0.1;  // a compact cluster is the same after no shift
  std::size_t const points = rows.size() / 3;
  if (points < fewest || points >= few) return false;
  auto const apart = [&](std::size_t to, std::size_t from, std::size_t d) {
    return unit.ours(double(rows[3 * to + d]) - double(rows[3 * from + d])) / box[d];
  };
  // How far the shift from point 0 to another takes a point from a third, in edges of the box.
  auto const off = [&](std::size_t to, std::size_t point, std::size_t shift) {
    double most_off = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      double const edges = apart(to, point, d) - apart(shift, 0, d);
      most_off = std::max(most_off, std::abs(edges - std::nearbyint(edges)));
    }
    return most_off;
  };
  auto const is_there = [&](std::size_t point, std::size_t shift) {
    for (std::size_t to = 0; to < points; ++to)
      if (off(to, point, shift) < same_place) return true;
    return false;
  };
  for (std::size_t shift = 1; shift < points; ++shift) {
    bool all = off(0, 0, shift) > shifted;
    for (std::size_t point = 0; all && point < points; ++point) all = is_there(point, shift);
    if (all) return true;
  }
  return false;
}

/// From how far round a circle the edge is, which knows no faces: for a Gaussian the mean of exp(i angle) has the
/// modulus exp(-deviation^2 / 2).
double spread_along(double edge, double order) {
  double const square = std::max(0.0, -2 * std::log(std::clamp(order, 1e-3, 1.0)));  // not -0
  return edge / (2 * pi<double>)*std::sqrt(square);
}

}  // namespace

template <class T>
Arrangement::Arrangement(std::array<double, 3> const& box, std::array<double, 3> const& origin,
                         std::span<T const> sources, LengthUnit const& unit, PlaneSpacing const& known)
    : planes_(plane_spacing(box, origin, sources, unit)), repeats_(repeat_within(box, sources, unit)) {
  constexpr double kept = 0.5;  // of points anywhere, 256 or more, that is by chance some 0.06
  for (std::size_t d = 0; d < 3; ++d) {
    spread_[d] = spread_along(box[d], order_along(d, box[d], sources, unit));
    double const spacing = planes_[d] > 0 ? planes_[d] : known[d];
    if (spacing == 0) continue;
    order_[d] = order_along(d, spacing, sources, unit);
    if (planes_[d] == 0 && order_[d] > kept) planes_[d] = spacing;
  }
}

std::size_t Arrangement::enough(std::size_t points) noexcept {
  // Of caesium chloride there are 1.6 planes to the cube root of the ions.
  constexpr double for_each_plane = 10, planes = 1.6;
  return std::min(points, std::size_t(256 + for_each_plane * planes * std::cbrt(double(points))));
}

bool Arrangement::in_crystal() const noexcept {
  return std::ranges::all_of(planes_, [](double spacing) { return spacing > 0; });
}

bool on_other_planes(Arrangement const& sources, PlaneSpacing const& planned, std::size_t points) noexcept {
  constexpr std::size_t fewest = 64;
  constexpr double same = 0.01;
  if (points < fewest) return false;
  for (std::size_t d = 0; d < 3; ++d)
    if (double const found = sources.planes()[d]; found > 0 && std::abs(found - planned[d]) > same * found) return true;
  return false;
}

template Arrangement::Arrangement(std::array<double, 3> const&, std::array<double, 3> const&, std::span<double const>,
                                  LengthUnit const&, PlaneSpacing const&);
template Arrangement::Arrangement(std::array<double, 3> const&, std::array<double, 3> const&, std::span<float const>,
                                  LengthUnit const&, PlaneSpacing const&);

}  // namespace nearfar

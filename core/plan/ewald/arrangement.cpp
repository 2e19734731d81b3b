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

/// From how far round a circle the edge is, which knows no faces: for a Gaussian the mean of exp(i angle) has the
/// modulus exp(-deviation^2 / 2).
template <class T>
double spread_along(std::size_t d, double edge, std::span<T const> rows, LengthUnit const& unit) {
  std::size_t const points = rows.size() / 3, count = std::min(points, most);
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (double const turns = unit.ours(double(rows[3 * sampled(i, count, points) + d])) / edge; std::isfinite(turns))
      sum += std::polar(1.0, 2 * pi<double> * (turns - std::nearbyint(turns)));
  double const mean = std::clamp(std::abs(sum) / double(std::max<std::size_t>(count, 1)), 1e-3, 1.0);
  return edge / (2 * pi<double>)*std::sqrt(-2 * std::log(mean));
}

}  // namespace

template <class T>
Arrangement::Arrangement(std::array<double, 3> const& box, std::array<double, 3> const& origin,
                         std::span<T const> sources, LengthUnit const& unit)
    : planes_(plane_spacing(box, origin, sources, unit)) {
  for (std::size_t d = 0; d < 3; ++d) spread_[d] = spread_along(d, box[d], sources, unit);
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
                                  LengthUnit const&);
template Arrangement::Arrangement(std::array<double, 3> const&, std::array<double, 3> const&, std::span<float const>,
                                  LengthUnit const&);

}  // namespace nearfar

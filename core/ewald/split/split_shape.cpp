// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split/split_shape.hpp"

#include "core/ewald/kept.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/math/constants.hpp"
#include "core/math/prolate.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace nearfar {

namespace {

/// ghat or w beyond the band: the sum of amplitude[j] / theta^j times the cosine of theta, or the sine for odd j, by
/// partial integration of psi's transform.
std::array<double, max_powers> oscillation(Prolate const& psi, bool laplace) {
  double const c0 = static_cast<double>(psi.integral(1)), last = static_cast<double>(psi.value(1)),
               slope = static_cast<double>(psi.derivative(1)), second = static_cast<double>(psi.second(1));
  if (laplace) return {0, last / c0, slope / c0, -second / c0};
  return {-last / (2 * c0), (3 * last + slope) / (2 * c0), (4 * slope + second) / (2 * c0)};
}

/// The multiplier of the compact profile continues beyond the band c, as the Fourier integral of psi; a far part cut at
/// the band drops that tail. With theta = k rc, energy = V / (2 pi^2) int k^2 (4 pi ghat / k^2, or 8 pi w / k^2)^2 dk.
void drop_beyond_band(SplitShape& shape, Base base) {
  double const c = shape.parameter;
  Prolate const psi(c);
  double const c0 = static_cast<double>(psi.integral(1)), last = static_cast<double>(psi.value(1));
  bool const laplace = base != Base::hasimoto;
  auto const amplitude = oscillation(psi, laplace);
  // Beyond the band psi's transform oscillates with the phase sqrt(theta^2 - c^2), so we step evenly in that phase;
  // this also resolves the edge, where the derivative in theta is steep.
  double const step = 0.35, end = 36;
  // Derivatives of the field hold a shell at the cutoff, where psi ends with a step: a double layer needs Phi'', whose
  // shell is of delta functions. No point lies there, so the shell's transform, the part of the oscillation that does
  // not fall, is subtracted from the dropped field; this leaves that of the shell inside the band too.
  std::array<double, max_powers> dropped{};
  int const powers = laplace ? max_powers : SplitShape::hasimoto_powers;
  for (int q = 1; q < powers; ++q)
    for (int j = 0; j < q; ++j) {
      int const twice = 2 * (q - 1 - j) + 1;
      dropped[q] += amplitude[j] * amplitude[j] * std::pow(c, twice) / (2 * twice);
    }
  double theta = c;
  for (double phase = step / 2; phase < end; phase += step) {
    theta = std::hypot(c, phase);
    auto const transform = psi.transform(theta);
    double const ghat = static_cast<double>(transform.value) / c0;
    double const w = ghat - theta / 2 * static_cast<double>(transform.derivative) / c0;
    double const dtheta = step * phase / theta;
    double left = (laplace ? ghat : w) / theta;
    for (int q = 0; q < powers; ++q) {
      dropped[q] += left * left * dtheta;
      left = q == 0 ? (laplace ? ghat : w) : left * theta;
      left -= amplitude[q] * (q % 2 == 0 ? std::cos(theta) : std::sin(theta));
    }
  }
  // The tail of the integrals, from the first term of the oscillation that is left.
  for (int q = 0; q < powers; ++q) {
    int const j = laplace && q == 0 ? 1 : q, times = 2 * (j - q) + 1;
    dropped[q] += amplitude[j] * amplitude[j] / (2 * times * std::pow(theta, times));
  }
  for (int q = 0; q < powers; ++q) shape.dropped[q] = (laplace ? 8 : 32) * dropped[q];
  // At the band, ghat is psi(1). There w is -psi'(1) / 2, about c^2 / 4 psi(1), but falls so much within a few percent
  // of the band that 6 psi(1) stands for it.
  shape.edge = (laplace ? 1 : 6) * last;
  // The self potential: for Laplace the band holds all of Phi'(0) but 1 - lambda_0, which is negligible, and likewise
  // of its derivatives; for the Stokeslet, 2 Phi'(0) is 8 / (3 pi) int w dk, and the cut leaves out 4 / (3 pi) K
  // psi(1); the sum of w over all modes lacks 2 / pi K^3 psi(1).
  if (!laplace) shape.self = {4 / (3 * pi<double>)*c * last, 0, 2 / pi<double> * c * c * c * last};
}

/// The erf split drops no modes; its near part is cut at the cutoff (ewald.md, Sec. 6). This is the energy of that cut.
void drop_beyond_cutoff(SplitShape& shape, Base base) {
  double const y = shape.parameter * shape.parameter, square = std::exp(-2 * y);
  if (base != Base::hasimoto) shape.dropped = {square / (y * y), 4 * square};
  else shape.dropped = {6 * square, 16 * y * y * square};
  for (std::size_t q = 2; q < max_powers; ++q) shape.dropped[q] = 4 * y * y * shape.dropped[q - 1];
  shape.cut = 2 * pi<double> * std::erfc(shape.parameter) / y;
}

/// The logarithm of the multiplier is nearly linear in k^2, so a few exact values suffice, interpolated between.
void fill_table(SplitShape& shape, Profile const& profile, Base base) {
  constexpr int values = 128, between = SplitShape::steps / values;
  double last = 0;
  for (int i = 1; i <= values; ++i) {
    long double const k = shape.band * std::sqrt(static_cast<double>(i) / values);
    long double const value = base != Base::hasimoto ? profile.ghat(k) : profile.hasimoto(k);
    double const next = static_cast<double>(std::log(std::max(value, 1e-20L)));  // below that, psi is rounding
    for (int j = 0; j <= between; ++j)
      shape.table[(i - 1) * between + j] = std::exp(last + (next - last) * j / between);
    last = next;
  }
}

SplitShape make_split_shape(Split split, Base base, double parameter) {
  SplitShape shape;
  shape.parameter = parameter;
  Profile const profile(split, parameter, 1);
  shape.band = profile.band(1e-16);
  fill_table(shape, profile, base);
  if (split == Split::pswf) drop_beyond_band(shape, base);
  else drop_beyond_cutoff(shape, base);
  return shape;
}

}  // namespace

std::shared_ptr<SplitShape const> split_shape(Split split, Base base, double parameter) {
  constexpr std::size_t levels_of_a_plan = 64;
  static Kept<std::tuple<Split, Base, double>, std::shared_ptr<SplitShape const>, levels_of_a_plan> shapes;
  return shapes.of({split, base, parameter},
                   [&] { return std::make_shared<SplitShape const>(make_split_shape(split, base, parameter)); });
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split_shape.hpp"

#include "core/ewald/profile.hpp"
#include "core/math/constants.hpp"
#include "core/math/prolate.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// The multiplier of the compact profile continues beyond the band c, as the Fourier integral of psi; a far part cut at
/// the band drops that tail. With theta = k rc, energy = V / (2 pi^2) int k^2 (4 pi ghat / k^2, or 8 pi w / k^2)^2 dk.
void drop_beyond_band(SplitShape& shape, Base base) {
  double const c = shape.parameter;
  Prolate const psi(c);
  double const c0 = static_cast<double>(psi.integral(1)), last = static_cast<double>(psi.value(1));
  bool const laplace = base != Base::hasimoto;
  // Beyond the band psi's transform oscillates with the phase sqrt(theta^2 - c^2), so we step evenly in that phase;
  // this also resolves the edge, where the derivative in theta is steep.
  double const step = 0.35, end = 36;
  // A double layer needs Phi'', which holds a delta shell at the cutoff, where Phi' jumps. No point lies on that shell,
  // so its transform, -edge cos(theta), is subtracted from the dropped field; this leaves edge cos(theta) inside the
  // band too.
  double const edge = last / (2 * c0), slope = static_cast<double>(psi.derivative(1)),
               bend = static_cast<double>(psi.second(1));
  double potential = 0, gradient = laplace ? 0 : edge * edge * c / 2, theta = c;
  // Second slopes have one more such shell, whose transform is the next term of those below.
  double const shell = (laplace ? last : (3 * last + slope) / 2) / c0;
  double second = shell * shell * c / 2 + (laplace ? 0 : edge * edge * c * c * c / 6);
  for (double phase = step / 2; phase < end; phase += step) {
    theta = std::hypot(c, phase);
    auto const transform = psi.transform(theta);
    double const ghat = static_cast<double>(transform.value) / c0;
    double const w = ghat - theta / 2 * static_cast<double>(transform.derivative) / c0;
    double const dtheta = step * phase / theta;
    potential += std::pow((laplace ? ghat : w) / theta, 2) * dtheta;
    gradient += std::pow(laplace ? ghat : w + edge * std::cos(theta), 2) * dtheta;
    double const inside = (laplace ? 0 : -edge * theta * std::cos(theta)) + shell * std::sin(theta);
    second += std::pow((laplace ? ghat : w) * theta - inside, 2) * dtheta;
  }
  // The tail of the integral, from ghat -> psi(1) sin / (c0 theta), w -> -psi(1) cos / (2 c0), and, with the shell
  // subtracted, the next term of w.
  double const amplitude = last * last / (c0 * c0);
  potential += laplace ? amplitude / (6 * std::pow(theta, 3)) : amplitude / (8 * theta);
  gradient += (laplace ? amplitude : std::pow((3 * last + slope) / (2 * c0), 2)) / (2 * theta);
  second += std::pow((laplace ? slope : 2 * slope + bend / 2) / c0, 2) / (2 * theta);
  double const prefactor = laplace ? 8 : 32;
  shape.dropped = {prefactor * potential, prefactor * gradient, prefactor * second};
  // At the band, ghat is psi(1). There w is -psi'(1) / 2, about c^2 / 4 psi(1), but falls so much within a few percent
  // of the band that 6 psi(1) stands for it.
  shape.edge = (laplace ? 1 : 6) * last;
  // The self potential: for Laplace the band holds all of Phi'(0) but 1 - lambda_0, which is negligible; for the
  // Stokeslet, 2 Phi'(0) is 8 / (3 pi) int w dk, and the cut leaves out 4 / (3 pi) K psi(1).
  shape.self = laplace ? 0 : 4 / (3 * pi<double>)*c * last;
}

/// The erf split drops no modes; its near part is cut at the cutoff (ewald.md, Sec. 6). This is the energy of that cut.
void drop_beyond_cutoff(SplitShape& shape, Base base) {
  double const y = shape.parameter * shape.parameter, square = std::exp(-2 * y);
  if (base != Base::hasimoto) shape.dropped = {square / (y * y), 4 * square, 16 * y * y * square};
  else shape.dropped = {6 * square, 16 * y * y * square, 64 * y * y * y * y * square};
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

}  // namespace

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

}  // namespace nearfar

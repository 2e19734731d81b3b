// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/far_multiplier.hpp"

#include "core/ewald/split/profile.hpp"
#include "core/math/constants.hpp"

#include <cmath>

namespace nearfar {

template <class T>
FarMultiplier<T> make_far_multiplier(Profile const& profile, Base base, double error) {
  FarMultiplier<T> far;
  double const band = profile.band(error);
  bool const laplace = base == Base::laplace;
  far.band_squared = static_cast<T>(band * band);
  far.scale = static_cast<T>(2 / (band * band));
  far.prefactor = (laplace ? 4 : 8) * pi<T>;
  if (double const lam = profile.screening(); lam > 0) {
    far.prefactor = static_cast<T>(4 * pi<long double> / Screened(profile, lam).ghat());
    far.shift = static_cast<T>(lam * lam);
  }
  // Finer than others notice: a net charge in a box with a long free edge has a potential as large as that edge, of
  // which an error at k = 0 would be a part.
  far.shape = fit_polynomial<T>(
      [&](long double t) {
        long double const k = band * std::sqrt(std::min(1.0L, (1 + t) / 2));
        return laplace ? profile.ghat(k) : profile.hasimoto(k);
      },
      1e-3 * error);
  return far;
}

template <class T>
FarMultiplier<T> make_pressure_multiplier(Profile const& profile, double error) {
  FarMultiplier<T> pressure = make_far_multiplier<T>(profile, Base::laplace, error);
  pressure.prefactor *= 2;
  return pressure;
}

template FarMultiplier<float> make_pressure_multiplier(Profile const&, double);
template FarMultiplier<double> make_pressure_multiplier(Profile const&, double);
template FarMultiplier<float> make_far_multiplier(Profile const&, Base, double);
template FarMultiplier<double> make_far_multiplier(Profile const&, Base, double);

}  // namespace nearfar

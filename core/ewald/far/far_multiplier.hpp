// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/split.hpp"
#include "core/math/polynomial.hpp"

namespace nearfar {

class Profile;

/// The Fourier multiplier of the far part, 4 pi ghat(k) / k^2 or 8 pi w(k) / k^2 (ewald.md, Sec. 1), with ghat or w as
/// a polynomial in t = 2 (k / K)^2 - 1; zero beyond the band K. The same struct for both splits. Of screened charges it
/// is 4 pi ghat(k) / ghat(i lam) / (k^2 + lam^2) (Screened, profile.hpp).
template <class T>
struct FarMultiplier {
  T band_squared = 0;  ///< K^2
  T scale = 0;         ///< 2 / K^2
  T prefactor = 0;     ///< 4 pi or 8 pi, or 4 pi / ghat(i lam)
  T shift = 0;         ///< lam^2
  Polynomial<T> shape;

  /// k2 > 0.
  NEARFAR_FUNCTION T operator()(T k2) const {
    return k2 <= band_squared ? prefactor / (k2 + shift) * shape(scale * k2 - T(1)) : T(0);
  }
};

/// `error`: absolute error of ghat or w (which are 1 at k = 0), also where a Gaussian profile is cut.
template <class T>
FarMultiplier<T> make_far_multiplier(Profile const& profile, Base base, double error);

/// That of the pressure of flows, 8 pi ghat(k) / k^2.
template <class T>
FarMultiplier<T> make_pressure_multiplier(Profile const& profile, double error);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far/far_multiplier.hpp"
#include "core/ewald/far/far_operator.hpp"
#include "core/kernels/virial.hpp"

namespace nearfar {

/// (1 / k) d ln m / dk of the far multiplier: by it, a mode's energy changes with strain (ewald.md, Sec. 8). Of m = 4
/// pi ghat / k^2 it is -2 w / (ghat k^2); where k^2 + lam^2 stands for k^2, of screened charges, 2 / k^2 - 2 / (k^2 +
/// lam^2) more. Plain data for arguments of tasks.
template <class T>
struct FarSlope {
  FarMultiplier<T> of_ghat, of_w;
  T shift = 0;  ///< lam^2

  /// k2 > 0, within the band.
  NEARFAR_FUNCTION T operator()(T k2) const {
    T const t = of_ghat.scale * k2 - T(1), ghat = of_ghat.shape(t);
    return ghat > T(0) ? T(2) * (shift / (k2 + shift) - of_w.shape(t) / ghat) / k2 : T(0);
  }
};

/// `error`: absolute error of ghat and w, as in make_far_multiplier. The profile has no screening.
template <class T>
FarSlope<T> make_far_slope(Profile const& profile, double error, double screening) {
  return {make_far_multiplier<T>(profile, Base::laplace, error), make_far_multiplier<T>(profile, Base::hasimoto, error),
          T(screening * screening)};
}

/// Twice the energy of modes, and twice what a strain changes of it beside that; by our axes, xx, yy, zz, xy, xz, yz.
inline constexpr int far_virial_size = 1 + virial_size;

/// The far part of charges that also sums, over all modes before they are multiplied, e = m |S|^2 and e k k (1 / k) d
/// ln m / dk (ewald.md, Sec. 8). Modes along free directions count for periodic ones only: there k is 0 where the
/// Green's function is cut.
template <class T>
struct FarVirialOperator : FarOperator<T, LaplaceFar> {
  static constexpr int sums = far_virial_size;
  static constexpr char const* name() { return "laplace_virial"; }

  FarSlope<T> slope;

  NEARFAR_FUNCTION void add(T const* multiplier, Mode<T> const& mode, T const* re, T const* im, double* sum) const {
    bool const is_zero = !(mode.squared > 0);
    double const weight = (mode.paired ? 2 : 1) * double(is_zero ? this->zero_mode[0] : T(1)) * double(*multiplier),
                 energy = weight * (double(re[0]) * double(re[0]) + double(im[0]) * double(im[0]));
    sum[0] += energy;
    if (is_zero || *multiplier == T(0)) return;
    double const factor = energy * double(slope(mode.squared));
    for (int m = 0; m < virial_size; ++m)
      sum[1 + m] += factor * double(mode.k[virial_axes(m).a]) * double(mode.k[virial_axes(m).b]);
  }
};

}  // namespace nearfar

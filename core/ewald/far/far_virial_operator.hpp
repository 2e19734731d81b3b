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

  /// The same for many modes at once, of which a compiler makes vectors.
  template <int many>
  void of_all(T const (&k2)[many], T (&slope)[many]) const {
    T t[many], ghat[many], w[many];
    for (int i = 0; i < many; ++i) t[i] = of_ghat.scale * k2[i] - T(1);
    evaluate(of_ghat.shape, t, ghat);
    evaluate(of_w.shape, t, w);
    for (int i = 0; i < many; ++i)
      slope[i] = ghat[i] > T(0) ? T(2) * (shift / (k2[i] + shift) - w[i] / ghat[i]) / k2[i] : T(0);
  }

 private:
  template <int many>
  static void evaluate(Polynomial<T> const& p, T const (&t)[many], T (&sum)[many]) {
    for (T& s : sum) s = p.coefficient[p.degree];
    for (int c = p.degree - 1; c >= 0; --c)
      for (int i = 0; i < many; ++i) sum[i] = sum[i] * t[i] + p.coefficient[c];
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
    double const energy = add_energy(multiplier, mode, re, im, sum);
    if (energy != 0) add_strained(energy * double(slope(mode.squared)), mode.k, sum);
  }

  /// Adds modes as `add` does, on hosts: many at once, since their slopes take most of the time.
  class Adder {
   public:
    Adder(FarVirialOperator const& op, double* sum) : op_(op), sum_(sum) {}

    void add(T const* multiplier, Mode<T> const& mode, T const* re, T const* im) {
      double const energy = op_.add_energy(multiplier, mode, re, im, sum_);
      if (energy == 0) return;
      squared_[count_] = mode.squared;
      modes_[count_] = {energy, {mode.k[0], mode.k[1], mode.k[2]}};
      if (++count_ == many) add_all();
    }
    void add_all() {
      T slope[many];
      op_.slope.of_all(squared_, slope);
      for (int i = 0; i < count_; ++i) add_strained(modes_[i].energy * double(slope[i]), modes_[i].k, sum_);
      count_ = 0;
    }

   private:
    static constexpr int many = 32;
    struct Kept {
      double energy;
      T k[3];
    };
    FarVirialOperator const& op_;
    double* sum_;
    int count_ = 0;
    T squared_[many] = {};
    Kept modes_[many];
  };

 private:
  /// Returns the energy if strain changes it beside the volume, else 0.
  NEARFAR_FUNCTION double add_energy(T const* multiplier, Mode<T> const& mode, T const* re, T const* im,
                                     double* sum) const {
    bool const is_zero = !(mode.squared > 0);
    double const weight = (mode.paired ? 2 : 1) * double(is_zero ? this->zero_mode[0] : T(1)) * double(*multiplier),
                 energy = weight * (double(re[0]) * double(re[0]) + double(im[0]) * double(im[0]));
    sum[0] += energy;
    return is_zero ? 0 : energy;
  }
  NEARFAR_FUNCTION static void add_strained(double factor, T const* k, double* sum) {
    for (int m = 0; m < virial_size; ++m)
      sum[1 + m] += factor * double(k[virial_axes(m).a]) * double(k[virial_axes(m).b]);
  }
};

}  // namespace nearfar

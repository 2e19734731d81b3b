// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <memory>

namespace nearfar {

class Prolate;

/// The band K, beyond which modes are dropped. pswf: c / cutoff, for any
/// `error`; gaussian: where both multipliers have fallen below `error`.
double band(Split split, double parameter, double cutoff, double error);

/// The profile Phi that splits 1/r into a near part (1 - Phi)/r and a far part Phi/r (ewald.md, Sec. 1).
/// After the plan, only polynomials fitted to it are used. Immutable, so thread-safe. Lengths in box units.
class Profile {
 public:
  /// `parameter` is c for Split::pswf and xi * cutoff for Split::gaussian.
  Profile(Split split, double parameter, double cutoff);

  Split split() const noexcept { return split_; }
  double parameter() const noexcept { return parameter_; }
  double cutoff() const noexcept { return cutoff_; }

  long double value(long double r) const;          ///< Phi(r); for pswf 1 beyond the cutoff
  long double first(long double r) const;          ///< Phi'(r)
  long double second(long double r) const;         ///< Phi''(r)
  long double second_over_r(long double r) const;  ///< Phi''(r) / r, even: full accuracy down to r = 0
  long double third_over_r(long double r) const;   ///< (Phi''(r) / r)' / r, likewise

  long double ghat(long double k) const;      ///< Laplace multiplier of 4 pi / k^2; pswf: 0 beyond band()
  long double hasimoto(long double k) const;  ///< w(k), Stokes multiplier of 8 pi / k^2; pswf: 0 beyond band()
  double band(double error) const { return nearfar::band(split_, parameter_, cutoff_, error); }
  long double second_moment() const;  ///< m2 = -ghat''(0), for the neutralising background

 private:
  Split split_;
  double parameter_;
  double cutoff_;
  std::shared_ptr<Prolate const> prolate_;
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <memory>

namespace nearfar {

class GaussLegendre;
class Prolate;
struct EwaldOptions;
struct EwaldPlanning;

/// The band K, beyond which modes are dropped: where both multipliers have fallen below `error`, and at most c / cutoff
/// of pswf. A c by hand may be far larger than the tolerance needs; polynomials of this error would be nothing but
/// error there, and be divided by the small square of a window's transform (ewald.md, Sec. 5.1).
double band(Split split, double parameter, double cutoff, double error);

/// The profile Phi that splits 1/r into a near part (1 - Phi)/r and a far part Phi/r (ewald.md, Sec. 1).
/// After the plan, only polynomials fitted to it are used. Immutable, so thread-safe. Lengths in box units.
class Profile {
 public:
  /// `parameter` is c for Split::pswf and xi * cutoff for Split::gaussian. `screening`: lam of a kernel that has one,
  /// which the profile only carries to what is made of both (Screened).
  Profile(Split split, double parameter, double cutoff, double screening = 0);

  Split split() const noexcept { return split_; }
  double parameter() const noexcept { return parameter_; }
  double cutoff() const noexcept { return cutoff_; }
  double screening() const noexcept { return screening_; }

  long double value(long double r) const;          ///< Phi(r); for pswf 1 beyond the cutoff
  long double first(long double r) const;          ///< Phi'(r)
  long double second(long double r) const;         ///< Phi''(r)
  long double second_over_r(long double r) const;  ///< Phi''(r) / r, even: full accuracy down to r = 0
  long double third_over_r(long double r) const;   ///< (Phi''(r) / r)' / r, likewise

  long double ghat(long double k) const;      ///< Laplace multiplier of 4 pi / k^2; pswf: 0 beyond band()
  long double hasimoto(long double k) const;  ///< w(k), Stokes multiplier of 8 pi / k^2; pswf: 0 beyond band()
  double band(double error) const;
  long double second_moment() const;  ///< m2 = -ghat''(0), for the neutralising background

 private:
  Split split_;
  double parameter_;
  double cutoff_;
  double screening_;
  std::shared_ptr<Prolate const> prolate_;
  long double whole_;  // int_0^1 psi
};

/// The split of e^(-lam r) / r by a profile Phi. Its far part, F(r), has the multiplier 4 pi ghat(k) / ghat(i lam) /
/// (k^2 + lam^2), with ghat(i lam) = int_0^inf Phi'(t) cosh(lam t) dt. With this factor the near part, e^(-lam r) / r -
/// F, is exactly zero beyond the cutoff of a compact profile:
///   ghat(i lam) r F(r) = e^(-lam r) int_0^r cosh(lam t) Phi'(t) dt - sinh(lam r) int_r^inf e^(-lam t) Phi'(t) dt.
/// F is smooth, even and bounded for all lam, and becomes Phi(r) / r for lam = 0.
class Screened {
 public:
  /// `screening`: lam > 0. The profile must outlive this.
  Screened(Profile const& profile, double screening);

  long double far(long double r) const;        ///< F(r)
  long double slope(long double r) const;      ///< -F'(r) / r
  long double curvature(long double r) const;  ///< -(r F)'' / r
  long double ghat() const { return ghat_; }   ///< ghat(i lam), at least 1

 private:
  long double outside(long double r) const;  // int_r^inf e^(-lam (t - r)) Phi'(t) dt

  Profile const& profile_;
  GaussLegendre const* rule_;
  long double lam_, reach_, ghat_ = 1;  // reach: beyond it Phi' is negligible
};

/// The profile of a plan, with the screening of its kernel.
Profile profile_of(EwaldOptions const& options, EwaldPlanning const& parameters);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nearfar {

/// The first prolate spheroidal wave function psi_0^c on [-1, 1], scaled to psi(0) = 1, by its even Legendre
/// expansion (ewald.md, Sec. 7). Immutable, so thread-safe.
class Prolate {
 public:
  /// 0 < c <= 120.
  explicit Prolate(double c);

  double c() const noexcept { return c_; }
  long double value(long double x) const;         ///< psi(x), |x| <= 1
  long double derivative(long double x) const;    ///< psi'(x)
  long double slope(long double x) const;         ///< psi'(x) / x, even: full accuracy down to x = 0
  long double bend(long double x) const;          ///< (psi'(x) / x)' / x, likewise
  long double second(long double x) const;        ///< psi''(x)
  long double integral(long double x) const;      ///< int_0^x psi, to full relative accuracy down to x = 0
  long double outer_moment(long double x) const;  ///< int_x^1 t psi(t) dt
  /// int_x^1 t outer_moment(t) dt, and its transform: int_0^1 of it times cos(theta x) dx.
  long double second_outer_moment(long double x) const;
  long double second_outer_transform(long double theta) const;
  long double second_moment() const;  ///< int_0^1 x^2 psi / int_0^1 psi

  struct Transform {
    long double value;       ///< int_0^1 psi(x) cos(theta x) dx
    long double derivative;  ///< with respect to theta
  };
  /// For every theta >= 0. Up to c it equals psi(theta / c) times
  /// int_0^1 psi; beyond, it is what a band limit at c leaves out.
  Transform transform(long double theta) const;

 private:
  double c_;
  std::vector<long double> legendre_;  // coefficients of P_0, P_2, P_4, ...
  std::vector<long double> moment_;    // likewise, of outer_moment
  std::vector<long double> second_outer_;
};

}  // namespace nearfar

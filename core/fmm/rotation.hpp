// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nearfar {

/// The swap matrices B_n (fmm.md, Sec. 1.5): R_n^m(z, y, x) = sum over l of B_n^{ml} R_n^l(x, y, z). Real, their own
/// inverse, and exact in double up to n = 28.
class SwapMatrices {
 public:
  explicit SwapMatrices(int order);
  /// 0 unless |m|, |l| <= n.
  double operator()(int n, int m, int l) const noexcept;

 private:
  std::vector<std::vector<double>> degree_;
};

/// The rotation of the frame about y that turns the direction (sin b, 0, cos b) to z,
/// for multipoles of one degree in packed storage. Real and imaginary parts do not mix:
///   Re M'^m = sum over l = 0..n of real(m, l) Re M^l,   Im M'^m = sum over l = 1..n of imag(m, l) Im M^l
struct AxisRotation {
  int degree = 0;
  std::vector<double> real_part, imag_part;  ///< (n+1)^2 entries each, row by row; row and column 0 of imag are 0

  double real(int m, int l) const noexcept { return real_part[std::size_t(m * (degree + 1) + l)]; }
  double imag(int m, int l) const noexcept { return imag_part[std::size_t(m * (degree + 1) + l)]; }
};
AxisRotation axis_rotation(SwapMatrices const& swap, int degree, double sine, double cosine);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/operators.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

/// Floating-point operations of the stages of the multipole method, two per multiply-add, for cost models and tables.
/// P2P: bare_pair_flops per pair.

/// Two rotations about z and two about y of one expansion.
constexpr double fmm_turn_flops(int order) { return 2 * (4.0 * order * (order + 1) + 2.0 * panel_offset(order + 1)); }

/// Per interaction and right-hand side.
constexpr double m2l_flops(int order) {
  double const p = order, shift = (p + 1) * (p + 1) + p * (p + 1) * (2 * p + 1) / 3;
  return fmm_turn_flops(order) + 2 * shift;
}
constexpr double m2m_flops(int order) {
  double const p = order, shift = (p + 1) * (p + 2) / 2 + p * (p + 1) * (p + 2) / 3;
  return fmm_turn_flops(order) + 2 * shift;
}
constexpr double l2l_flops(int order) { return m2m_flops(order); }

/// Per point and charge vector (P2L: per point and box; M2P: per target point and box).
template <class K>
constexpr double p2m_flops(int order) {
  return (5.0 + 2 * K::Sums::weights) * coefficient_count(order);
}
template <class K>
constexpr double p2l_flops(int order) {
  return (5.0 + 2 * K::Sums::weights) * coefficient_count(order + (K::Sums::dipoles > 0 ? 1 : 0));
}
template <class K>
constexpr double l2p_flops(int order) {
  return (5.0 + 2 * K::Evaluation::values) * coefficient_count(order);
}
template <class K>
constexpr double m2p_flops(int order) {
  return (5.0 + 2 * K::Evaluation::values) * coefficient_count(order + K::Evaluation::slopes);
}

/// For the expansions of the root, per right-hand side: real and even sums, a quarter of the coefficients.
constexpr double lattice_flops(int order) {
  double const count = coefficient_count(order);
  return 4 * count * count;
}

}  // namespace nearfar

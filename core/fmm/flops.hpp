// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Floating-point operations of the operators at one order, per expansion (link, point and box, or point): counted from
/// the leading terms of fmm.md, Sec. 1.5. For cost models and tables.
constexpr double m2l_flops(int p) { return 2.0 * (2.0 * p * p * p + 8.0 * p * p + 20); }
constexpr double m2m_flops(int p) { return 2.0 * (1.8 * p * p * p + 8.0 * p * p + 20); }
constexpr double p2m_flops(int p) { return 9.0 * (p + 1) * (p + 1); }
constexpr double l2p_flops(int p) { return 15.0 * (p + 1) * (p + 1); }
constexpr double m2p_flops(int p) { return 20.0 * (p + 2) * (p + 2); }
constexpr double p2l_flops(int p) { return 12.0 * (p + 1) * (p + 1); }
constexpr double lattice_flops(int p) { return 4.0 * (p + 1) * (p + 1) * (p + 1) * (p + 1); }

}  // namespace nearfar

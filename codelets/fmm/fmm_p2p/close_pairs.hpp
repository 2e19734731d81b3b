// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// P2P in single precision inside a solve in double: coordinates are relative to a target of the leaf, in units of the
/// leaf's edge, in two parts (core/kernels/pairs/packed_source.hpp), so that differences of two points have all digits
/// of single precision down to this squared distance. Closer pairs are summed in double, with the positions as they
/// are.
inline constexpr float close_squared = 0x1p-40f;

/// Sums over so many sources at most are in single precision, where rounding errors grow with the number; then they are
/// added to sums in double. On the way, CPUs add sums over this many to each other.
inline constexpr int sources_in_single = 64, sources_in_turn = 16;

}  // namespace nearfar

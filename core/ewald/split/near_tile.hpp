// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// SIMD bodies of Ewald P2P take this many consecutive targets of a column of cells and order them
/// into tiles of this size, or half of it; the sources of a tile are found and summed together.
inline constexpr int targets_per_cluster = 16, targets_per_tile = 4;

/// A coordinate of nobody, who fills up a vector of sources: beyond every cutoff. Were it 0, a target might be so close
/// to it that powers of the distance overflow, and infinity times no strength is not a number.
template <class A>
inline constexpr A far_away = A(0x1p40);

/// A pair that is summed for both of its points at once, in pairs that are summed for one.
inline constexpr double mutual_pair = 1.4;

}  // namespace nearfar

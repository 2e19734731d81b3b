// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// A source as P2P reads it, however few of its neighbours are read: x, y, z, its strengths, and zeros up to a whole
/// number of quads, which SIMD registers turn into columns. This many numbers.
NEARFAR_FUNCTION constexpr int packed_width(int strengths) { return (3 + strengths + 3) / 4 * 4; }

/// A target's results as P2P leaves them, followed by zeros up to a whole quad where there is more than one. This many
/// numbers.
NEARFAR_FUNCTION constexpr int result_row(int results) { return results == 1 ? 1 : (results + 3) / 4 * 4; }

}  // namespace nearfar

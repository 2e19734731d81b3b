// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Points of a grid along each direction, at most.
inline constexpr int largest_grid = 16384;

/// The smallest even number >= this that suits an FFT: of the factors 2, 3, 5 and 7.
int even_smooth_at_least(double least);

}  // namespace nearfar

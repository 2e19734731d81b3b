// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/tables.hpp"
#include "core/spectral/layout.hpp"
#include "core/tree/loop.hpp"

namespace nearfar {

/// Fills a ModeTable with the factors of an Ewald solve on every mode of the grid, except for
/// the tensor of its kernel: 8 pi w / k^2 or 4 pi ghat / k^2 (truncated if directions are free,
/// for the modes of padding 0), over the square of the window's transform and the volume. Zero
/// beyond the band and at the highest modes of even transforms, whose sign is not defined. With a
/// pressure a mode has two numbers, and the second one is the same with 8 pi ghat / k^2. `loop` shares out the columns
/// of skewed cells.
template <class T>
void fill_multipliers(SpectralLayout const& layout, EwaldTables<T> const& tables, WindowShape const& window, T* data,
                      bool pressure = false, Loop const& loop = in_turn);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/layout.hpp"

#include <cstdint>
#include <vector>

namespace nearfar {

/// Columns transformed together on CPUs: their values at one plane fill whole cache lines.
inline constexpr int column_batch = 16;

/// Whether columns along y are padded, some after the other, because y is free; else all are transformed in place.
NEARFAR_FUNCTION bool by_rows(SpectralLayout const& layout) { return layout.free >= 2; }

/// Lengths of the transforms of columns, along x and, by rows, along y: each once, shortest first.
std::vector<int> column_lengths(SpectralLayout const& layout);

/// What plans for a layout depend on: layouts with equal keys share theirs.
std::vector<int> plan_key(SpectralLayout const& layout);

/// The scratch of the plane stages on a CPU, in complex elements: the modes of a plane, row by row; where columns along
/// y are padded also, before them, those of the columns in their order, and behind them a batch of padded columns and
/// one padded row. All begin on whole cache lines.
struct PlaneScratch {
  explicit PlaneScratch(SpectralLayout const& layout);
  std::int64_t row_modes = 0;  ///< where rows of modes begin, [y][row_stride]
  std::int64_t row_stride = 0;
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t size = 0;
};

/// Complex elements that the column stage needs for each component on a CPU.
std::int64_t column_scratch(SpectralLayout const& layout);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cell_columns.hpp"
#include "core/tree/loop.hpp"

#include <cstdint>
#include <vector>

namespace nearfar {

/// Where the cells of each block begin, and the end; null: it has no points.
using BlockOffsets = std::vector<std::int32_t const*>;

/// The content of the pieces of all columns of targets. The same with every loop.
std::vector<ColumnContent> content_of_columns(CellColumns const& columns, BlockOffsets const& sources,
                                              BlockOffsets const& targets, Loop const& loop);

}  // namespace nearfar

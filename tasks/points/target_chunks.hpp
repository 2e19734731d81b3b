// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cell_columns.hpp"
#include "core/geometry/point_range.hpp"

#include <limits>
#include <vector>

namespace nearfar::detail {

/// A chunk of a block of targets: one P2P, one G2P and one merge task.
struct TargetChunk {
  int block = 0;
  PointRange points;
  double pairs = 0;  ///< estimated number of pairs within the cutoff
};

/// Cuts the targets of every block that holds far more pairs or points than the plan expects of one, so that no task
/// takes much longer than others, however the points lie; and blocks of at least `many` targets into at least `pieces`.
/// Empty blocks have no chunks. `content`: of the columns of targets, within whose pieces pairs count as evenly spread.
std::vector<TargetChunk> cut_chunks(CellColumns const& columns, std::vector<ColumnContent> const& content,
                                    int many = std::numeric_limits<int>::max(), int pieces = 1);

/// All targets of the only block in one chunk, assuming evenly spread points.
std::vector<TargetChunk> one_chunk(Cells const& cells, std::size_t sources, std::size_t targets);

}  // namespace nearfar::detail

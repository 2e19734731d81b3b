// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cells.hpp"
#include "core/share.hpp"
#include "tasks/blocked_points.hpp"

#include <vector>

namespace nearfar::detail {

/// A share of a block of targets: one P2P, one G2P and one merge task.
struct TargetShare {
  int block = 0;
  Share points;
  double pairs = 0;  ///< within the cutoff, estimated
};

/// Cuts the targets of every block that holds far more pairs or points than the plan expects of one, so that no task
/// takes much longer than others, however the points lie. Empty blocks have no share.
template <class T>
std::vector<TargetShare> cut_shares(Cells const& cells, BlockedPoints<T> const& sources,
                                    BlockedPoints<T> const& targets);

}  // namespace nearfar::detail

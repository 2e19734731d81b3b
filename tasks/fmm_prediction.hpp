// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/choice.hpp"
#include "core/machine_shape.hpp"
#include "tasks/fmm_tree.hpp"

namespace nearfar::detail {

/// Seconds that a solve with one charge vector takes.
struct FmmPrediction {
  double work = 0;   ///< of one CPU worker
  double chain = 0;  ///< far part: stage after stage, level by level, as the CPU workers share the tasks; or P2P
  double last = 0;   ///< the task that a worker is in at a moment, on average
};
FmmPrediction predict_fmm(FmmTree const& tree, FmmSeconds const& seconds, MachineShape const& machine);

}  // namespace nearfar::detail

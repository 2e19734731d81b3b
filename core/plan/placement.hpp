// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Which workers run the stages of a solve over particles. A plan decides it once for each set of points
/// (PlannedPoints::placement); everything else asks the points.
enum class Placement {
  cpus,          ///< CPU workers run all stages
  near_on_gpus,  ///< GPUs take part, above all in the near part, with which they begin
  all_on_gpus    ///< GPUs run every stage that they have a body of
};

/// Of a plan that has chosen to solve `all_on_gpus`, or not, for a machine with so many GPUs.
constexpr Placement placement_of(bool all_on_gpus, int gpus) noexcept {
  if (all_on_gpus) return Placement::all_on_gpus;
  return gpus > 0 ? Placement::near_on_gpus : Placement::cpus;
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/machine.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// What one of several ranks sends in a solve, as far as it depends on the plan, for points that are spread evenly: not
/// what goes between the caller's arrays and the ranks.
struct Communication {
  double tiles = 0;   ///< bytes of the transposes, there and back
  double halos = 0;   ///< bytes of the grid that targets of other ranks read
  double ghosts = 0;  ///< bytes of points, and of what is found for them, within the cutoff of other ranks' points

  double bytes() const noexcept { return tiles + halos + ghosts; }
};
Communication predict_communication(EwaldOptions const& options, EwaldPlanning const& parameters, double sources,
                                    Machine const& machine);

/// Seconds by which messages make the far part longer; 0 for one rank. The far part waits for several of them one after
/// another.
double communication_seconds(Communication const& communication, Machine const& machine) noexcept;

}  // namespace nearfar

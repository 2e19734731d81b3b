// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/machine.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

/// What one of several ranks sends in a solve with one vector of strengths, beside what goes between the caller's
/// arrays and the ranks.
struct FmmCommunication {
  double expansions = 0;  ///< bytes of multipoles and locals
  double ghosts = 0;      ///< bytes of strengths that P2P of other ranks needs
  double messages = 0;    ///< that the far part waits for one after another
};

/// For a tree of so many boxes with so many points, both spread evenly, before it is cut: each rank has a cube of it,
/// and sends as much as it gets.
FmmCommunication guess_fmm_communication(Kernel kernel, int order, int separation, double boxes, double points,
                                         Machine const& machine);

/// Seconds by which messages make the far part longer; 0 for one rank.
double fmm_communication_seconds(FmmCommunication const& communication, Machine const& machine) noexcept;

}  // namespace nearfar

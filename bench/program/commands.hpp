// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/commands/command.hpp"

namespace nearfar::cli {

/// How good the chosen plans are.
Command plans_command();
/// Whole steps: points moved and solved for.
Command steps_command();
/// Steps in a cell that is sheared, beside steps in a cube.
Command shear_command();
/// Solves in skewed cells, beside solves in a cube of the same volume.
Command skewed_command();
/// What a tolerance of the whole sum saves.
Command tolerance_command();
/// The planner's constants of work, measured anew.
Command fit_command();

}  // namespace nearfar::cli

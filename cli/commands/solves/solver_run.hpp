// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/particles/particles.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace nearfar::cli {

/// What a solver's command is about.
struct SolverTask {
  char const* solver;
  Kernel kernel;
  Outputs outputs{};
};

/// What a solver has found, and what its command tells of it.
struct Solved {
  Solve solve;  ///< has ended
  std::vector<double> result;
  nlohmann::ordered_json report;            ///< its own fields
  std::function<void(Run const&)> summary;  ///< its own lines on stderr, the first ones
  std::optional<CheckErrors> check{};       ///< where it was checked
};
using Solver = std::function<Solved(Runtime const&, Particles const&, Progress&)>;

/// Reads particles, solves, writes what was asked for, and tells how it went; the exit code.
int run_solver(SolveSettings const& files, SolverTask const& task, Solver const& solver);

}  // namespace nearfar::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/solve.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace nearfar {

// Further ways to run some stages, beside those of Implementation (docs/laboratory.md compares them). Solves that ask
// for one run on CPU workers alone; stages that do not have it run as tuned. The same bits under every scheduler.

/// P2G: source by source, each with all of its window.
inline constexpr Implementation source_ordered{3};
/// P2G: the sources of a cell together, row by row of the grid.
inline constexpr Implementation hybrid{4};

/// All of them, by their names on the command line.
std::vector<Implementation> implementations();
std::string_view name(Implementation value) noexcept;

/// One way in which a stage of a solve ran on one kind of worker.
struct ImplementationUse {
  std::string stage;
  std::string worker;          ///< "cpu", "cuda" or "hip"
  std::string implementation;  ///< a name of the above on CPUs; "gpu" on GPUs
  int tasks = 0;
};

/// How the tasks of a solve ran on this rank, in the order in which stages first come: what StarPU chose where it
/// could. Waits for the solve, whether it succeeds or not.
std::vector<ImplementationUse> implementations_used(Solve& solve);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/solve.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace nearfar {

// Further ways to run some stages, beside those of Implementation (docs/laboratory.md compares them). On a kind of
// worker for which a stage does not have the one that is asked for, it runs as tuned. The same bits under every
// scheduler, but for P2G on GPUs where sources add to the grid by turns (source_ordered, hybrid).

/// P2G: source by source, each with all of its window.
inline constexpr Implementation source_ordered{3};
/// P2G: the sources of a cell together: on CPUs row by row of the grid, on GPUs node by node.
inline constexpr Implementation hybrid{4};
/// P2G on GPUs: node by node of the grid, each the sum of the sources around it.
inline constexpr Implementation grid_ordered{5};
/// G2P on GPUs: a thread for each target.
inline constexpr Implementation target_ordered{6};
/// P2P on GPUs, cell by cell of targets: a thread for each target, or several, which read sources from the GPU's memory
/// or from what they share.
inline constexpr Implementation global_1d{7}, shared_1d{8}, global_2d{9}, shared_2d{10};

/// All of them, by their names on the command line.
std::vector<Implementation> implementations();
std::string_view name(Implementation value) noexcept;

/// One way in which a stage of a solve ran on one kind of worker.
struct ImplementationUse {
  std::string stage;
  std::string worker;          ///< "cpu", "cuda" or "hip"
  std::string implementation;  ///< a name of the above; "gpu" where a GPU ran its default
  int tasks = 0;
};

/// How the tasks of a solve ran on this rank, in the order in which stages first come: what StarPU chose where it
/// could. Waits for the solve, whether it succeeds or not.
std::vector<ImplementationUse> implementations_used(Solve& solve);

}  // namespace nearfar

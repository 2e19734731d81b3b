// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/solve.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace nearfar {

// Further implementations of some stages, besides those of Implementation (docs/laboratory.md compares them). Stages
// that do not have the selected one for a kind of worker run as tuned there. The same bits under every scheduler,
// except for P2G on GPUs if sources add to the grid in turn (source_ordered, hybrid).

/// P2G: source by source, each with its whole window.
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

/// All implementations; names are those of the command line.
std::vector<Implementation> implementations();
std::string_view name(Implementation value) noexcept;

/// An implementation of a stage that ran on one kind of worker.
struct ImplementationUse {
  std::string stage;
  std::string worker;          ///< "cpu", "cuda" or "hip"
  std::string implementation;  ///< one of the names above; "gpu" if a GPU ran its default
  int tasks = 0;
};

/// Implementations that a solve used on this rank, in the order of first use of the stages; where several were allowed,
/// what StarPU chose. Waits for the solve, even if it fails.
std::vector<ImplementationUse> implementations_used(Solve& solve);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/constants.hpp"
#include "core/plan/machine.hpp"

#include <nearfar/kernel.hpp>

#include <cstdint>

namespace nearfar {

/// Flops at one order: per pair of points, per interaction and right-hand side, per point, per point and box.
struct FmmFlops {
  double pair, m2l, m2m, l2l, p2m, l2p, m2p, p2l, lattice;
};
FmmFlops fmm_flops(Kernel kernel, Outputs outputs, int order) noexcept;

/// Seconds of one worker at one order, for one vector of charges: per pair, per interaction, per box that is shifted up
/// or down, per source and per target of leaves, per target and per source that meets an expansion of another box.
struct FmmSeconds {
  double pair = 0, interaction = 0, shift = 0, source = 0, target = 0, m2p = 0, p2l = 0;
  double particle = 0;  ///< the part of a source or a target that bin or merge takes; CPUs do them
};
/// Without what tasks cost a GPU beside their work; zeros for GPUs where there are none. `near_in_single`: pairs in
/// single precision inside a solve in double.
FmmSeconds fmm_seconds(Kernel kernel, Outputs outputs, int order, Machine const& machine,
                       WorkerKind kind = WorkerKind::cpu, bool near_in_single = false,
                       WorkConstants const& constants = work_constants) noexcept;

/// Largest number of sources in a box that is summed pair by pair rather than by an expansion: whichever is cheaper for
/// all workers. Only CPUs evaluate expansions, unless all stages run `on_gpu`.
std::uint32_t few_points(FmmSeconds const& cpu, FmmSeconds const& gpu, Machine const& machine, bool on_gpu) noexcept;

/// Blocks, and so tasks, that most stages are cut into where there are GPUs. Few, because each task has a cost on a GPU
/// and all should be submitted before workers begin; but enough that every CPU worker has some, except in tiny solves.
/// `seconds`: what one CPU worker would take for all; `gpu_seconds`: one GPU, for P2P and M2L. Where all stages run
/// `on_gpu`, even fewer: one on one GPU, unless a solve takes seconds.
double gpu_blocks(Machine const& machine, double seconds, double gpu_seconds, bool on_gpu) noexcept;

}  // namespace nearfar

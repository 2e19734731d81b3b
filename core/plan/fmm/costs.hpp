// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/kernel_sums.hpp"
#include "core/plan/machine.hpp"

#include <cstdint>

namespace nearfar {

/// Flops at one order: per pair of points, per interaction and right-hand side, per point, per point and box.
struct FmmFlops {
  double pair, m2l, m2m, l2l, p2m, l2p, m2p, p2l, lattice;
};
FmmFlops fmm_flops(Kernel kernel, bool gradient, int order) noexcept;

/// What P2M and L2P of a point are work: a harmonic in P2M as much as another weight, in L2P as nine values of the
/// kernel. Measured with AVX2 for all kernels, orders 7 to 26; by flops, double layers would seem half as dear as they
/// are.
struct FmmEnds {
  double p2m, l2p;
};
FmmEnds fmm_ends(Kernel kernel, bool gradient, int order) noexcept;

/// Seconds of one CPU worker at one order, for one charge vector: per pair, per interaction, per box that is shifted up
/// or down, per source and per target of leaves, per target and per source that meets an expansion of another box.
struct FmmSeconds {
  double pair = 0, interaction = 0, shift = 0, source = 0, target = 0, m2p = 0, p2l = 0;
  double particle = 0;  ///< of a source or a target: what bin or merge takes of it
};
FmmSeconds fmm_seconds(Kernel kernel, bool gradient, int order, Machine const& machine) noexcept;

/// The same of one GPU, per task and per solve.
struct FmmGpuSeconds {
  double pair = 0, interaction = 0, shift = 0, source = 0, target = 0, task = 0, short_task = 0, start = 0;
  double m2p = 0, p2l = 0;
};
FmmGpuSeconds fmm_gpu_seconds(Kernel kernel, bool gradient, int order, Machine const& machine) noexcept;

/// Whether the only GPU runs every stage of a solve with so many targets: what CPU workers could take of it is less
/// than what moving their share costs. Smaller solves are over before a GPU has begun.
bool all_on_gpu(Machine const& machine, double targets) noexcept;

/// Sources up to which a box is summed pair by pair rather than by an expansion: what is cheaper for all workers, of
/// which only CPUs evaluate expansions, unless `on_gpu`: all stages run there.
std::uint32_t few_points(FmmSeconds const& cpu, FmmGpuSeconds const& gpu, Machine const& machine, bool on_gpu) noexcept;

/// Blocks that most stages are cut into where there are GPUs, a task each. Few, because each task costs as much on a
/// GPU, and all should be submitted in the moment that submission has before workers begin; so many that all CPU
/// workers have some, but for tiny solves. `seconds`: what one CPU worker would take for all; `gpu_seconds`: one GPU,
/// for P2P and M2L. Where all stages run `on_gpu`, only so many that translations have room to work in.
double gpu_blocks(Machine const& machine, double seconds, double gpu_seconds, bool on_gpu) noexcept;

}  // namespace nearfar

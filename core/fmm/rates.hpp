// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/kernel_sums.hpp"

#include <array>
#include <cstdint>

namespace nearfar {

/// What the arithmetic of the stages costs on this machine, on one CPU worker; measured once (tasks/fmm_rates.cpp), or
/// defaults. Seconds per flop, but for `link`, `particle` and P2M and L2P (fmm_ends).
struct FmmRates {
  double pair = 1;         ///< P2P
  double translation = 1;  ///< M2L
  double link = 1;         ///< M2L: seconds per link and right-hand side, whatever the order
  double shift = 1;        ///< M2M, L2L
  double source = 1;       ///< P2M
  double target = 1;       ///< L2P
  double evaluation = 1;   ///< M2P, P2L
  double particle = 1;     ///< bin, merge: seconds per point
  double high_source = 1;  ///< P2M at the high order of fmm_gpu_orders, beside GPUs: what plans wait for there
};
template <class T>
FmmRates default_fmm_rates() noexcept;

/// The same on one GPU, of the stages that have bodies for it. Seconds per flop, but for links and tasks.
struct FmmGpuRates {
  double pair = 1;  ///< P2P
  // M2L: seconds per link and right-hand side at the orders of fmm_gpu_orders, which kernels of different shape serve.
  double low_link = 1, middle_link = 1, high_link = 1;
  double shift = 1, high_shift = 1;    ///< M2M, L2L at the middle order and at the high one
  double source = 1, high_source = 1;  ///< P2M likewise
  double target = 1;                   ///< L2P
  double task = 1;        ///< P2P, M2L: seconds per task, that is a launch and the wait for many blocks' data
  double short_task = 1;  ///< the others: seconds per task
  double start = 0;       ///< seconds that the first task of a solve waits
};
template <class T>
constexpr std::array<int, 3> fmm_gpu_orders = sizeof(T) == 4 ? std::array{4, 10, 18} : std::array{6, 14, 24};

/// The workers that a plan counts on, and what the stages cost there.
struct FmmMachine {
  FmmRates rates;
  int cpus = 1;
  int gpus = 0;
  FmmGpuRates gpu{};  ///< where there are any

  /// Blocks that most stages are cut into where there are GPUs, a task each. Few, because each task costs as much on a
  /// GPU, and all should be submitted in the moment that submission has before workers begin; so many that all CPU
  /// workers have some, but for tiny solves. `seconds`: what one CPU worker would take for all; `gpu_seconds`: one GPU,
  /// for P2P and M2L.
  double gpu_blocks(double seconds, double gpu_seconds) const noexcept;
};

/// Flops at one order: per pair of points, per link and right-hand side, per point, per point and box.
struct FmmFlops {
  double pair, m2l, m2m, l2l, p2m, l2p, m2p, p2l, lattice;
};
FmmFlops fmm_flops(Kernel kernel, bool gradient, int order) noexcept;

/// What P2M and L2P of a point are work to a CPU worker: a harmonic in P2M as much as another weight, in L2P as nine
/// values of the kernel. Measured with AVX2 for all kernels, orders 7 to 26; by flops, double layers would seem half as
/// dear as they are.
struct FmmEnds {
  double p2m, l2p;
};
FmmEnds fmm_ends(Kernel kernel, bool gradient, int order) noexcept;

/// Seconds of one CPU worker at one order, for one charge vector: per pair, per link, per box that is shifted up or
/// down, per source and per target of leaves, per target and per source that meets an expansion of another box.
struct FmmSeconds {
  double pair = 0, link = 0, shift = 0, source = 0, target = 0, m2p = 0, p2l = 0;
  double particle = 0;  ///< of a source or a target: what bin or merge takes of it
};
FmmSeconds fmm_seconds(Kernel kernel, bool gradient, int order, FmmRates const& rates) noexcept;

/// Of one of the machine's CPU workers: as these, but P2M beside GPUs.
template <class T>
FmmSeconds fmm_cpu_seconds(Kernel kernel, bool gradient, int order, FmmMachine const& machine) noexcept;

/// The same of one GPU, per task and per solve.
struct FmmGpuSeconds {
  double pair = 0, link = 0, shift = 0, source = 0, target = 0, task = 0, short_task = 0, start = 0;
};
template <class T>
FmmGpuSeconds fmm_gpu_seconds(Kernel kernel, bool gradient, int order, FmmGpuRates const& rates) noexcept;

/// Sources up to which a box is summed pair by pair rather than by an expansion, which only CPU workers can evaluate:
/// what is cheaper for all workers.
std::uint32_t few_points(FmmSeconds const& cpu, FmmGpuSeconds const& gpu, FmmMachine const& machine) noexcept;

}  // namespace nearfar

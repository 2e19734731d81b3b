// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/costs.hpp"

#include "core/fmm/flops.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

// Seconds of a reference core (core/plan/throughput.hpp): per flop; of M2L per interaction and right-hand side,
// whatever the order, and per flop; of P2M and L2P per unit of fmm_ends; of bin and merge per point.
constexpr double per_pair_flop = 1.5e-11, per_interaction = 3e-9, per_m2l_flop = 1.25e-11, per_shift_flop = 1.9e-11;
constexpr double per_source = 5e-11, per_target = 1.6e-11, per_evaluation_flop = 2.5e-11, per_particle = 3e-8;

// Orders at which kernels of different shape serve on GPUs, and what a GPU is worth there beside what it is worth at
// the middle one, on an H200.
constexpr double low_order = 6, middle_order = 14, high_order = 24;
constexpr double m2l_at_low = 0.62, m2l_at_high = 0.35, p2m_at_high = 0.2;

/// A power of the order that is `at` at one order and 1 at the middle one.
double shape(double order, double from, double at) {
  return std::pow(at, std::log(order / middle_order) / std::log(from / middle_order));
}

template <Kernel K, bool G>
FmmFlops flops_of(int p) {
  return {bare_pair_flops<K, G>(), m2l_flops(p),       m2m_flops(p),    l2l_flops(p),    p2m_flops<K>(p),
          l2p_flops<K>(p, G),      m2p_flops<K>(p, G), p2l_flops<K>(p), lattice_flops(p)};
}

template <Kernel K>
FmmEnds ends_of(int p, bool gradient) {
  double const coefficients = coefficient_count(p);
  return {(1 + KernelSums<K>::weights) * coefficients, (9 + KernelSums<K>::values(gradient)) * coefficients};
}

/// Of a reference core.
FmmSeconds reference_seconds(Kernel kernel, bool gradient, int order) {
  FmmFlops const f = fmm_flops(kernel, gradient, order);
  FmmEnds const ends = fmm_ends(kernel, gradient, order);
  double const rhs = fmm_right_hand_sides(kernel);
  return {f.pair * per_pair_flop,
          rhs * (per_interaction + f.m2l * per_m2l_flop),
          rhs * (f.m2m + f.l2l) / 2 * per_shift_flop,
          ends.p2m * per_source,
          ends.l2p * per_target,
          f.m2p * per_evaluation_flop,
          f.p2l * per_evaluation_flop,
          per_particle / 2};
}

}  // namespace

FmmFlops fmm_flops(Kernel kernel, bool gradient, int order) noexcept {
  switch (kernel) {
    case Kernel::stokeslet: return flops_of<Kernel::stokeslet, false>(order);
    case Kernel::stresslet: return flops_of<Kernel::stresslet, false>(order);
    case Kernel::stokes: return flops_of<Kernel::stokes, false>(order);
    case Kernel::laplace: break;
  }
  return gradient ? flops_of<Kernel::laplace, true>(order) : flops_of<Kernel::laplace, false>(order);
}

FmmEnds fmm_ends(Kernel kernel, bool gradient, int order) noexcept {
  switch (kernel) {
    case Kernel::stokeslet: return ends_of<Kernel::stokeslet>(order, false);
    case Kernel::stresslet: return ends_of<Kernel::stresslet>(order, false);
    case Kernel::stokes: return ends_of<Kernel::stokes>(order, false);
    case Kernel::laplace: break;
  }
  return ends_of<Kernel::laplace>(order, gradient);
}

FmmSeconds fmm_seconds(Kernel kernel, bool gradient, int order, Machine const& machine) noexcept {
  FmmSeconds s = reference_seconds(kernel, gradient, order);
  Speeds const& speed = machine.speed.cpu;
  s.particle /= speed[WorkRow::points];
  return {s.pair / speed[WorkRow::leaf_p2p],
          s.interaction / speed[WorkRow::m2l],
          s.shift / speed[WorkRow::shift],
          s.source / speed[WorkRow::p2m] + s.particle,
          s.target / speed[WorkRow::l2p] + s.particle,
          s.m2p / speed[WorkRow::evaluation],
          s.p2l / speed[WorkRow::evaluation],
          s.particle};
}

FmmGpuSeconds fmm_gpu_seconds(Kernel kernel, bool gradient, int order, Machine const& machine) noexcept {
  if (machine.gpus <= 0) return {};
  FmmSeconds const s = reference_seconds(kernel, gradient, order);
  Speeds const& speed = machine.speed.gpu;
  bool const low = order < middle_order;
  double const m2l = low ? shape(order, low_order, m2l_at_low) : shape(order, high_order, m2l_at_high),
               p2m = low ? 1 : shape(order, high_order, p2m_at_high),
               evaluation = speed[speed[WorkRow::evaluation] > 0 ? WorkRow::evaluation : WorkRow::l2p];
  return {s.pair / speed[WorkRow::leaf_p2p],
          s.interaction / (m2l * speed[WorkRow::m2l]),
          s.shift / speed[WorkRow::shift],
          s.source / (p2m * speed[WorkRow::p2m]),
          s.target / speed[WorkRow::l2p],
          gpu_task,
          gpu_short_task,
          gpu_start,
          s.m2p / evaluation,
          s.p2l / evaluation};
}

bool all_on_gpu(Machine const& machine, double targets) noexcept {
  constexpr double least = 1e4;
  return machine.gpus > 0 && machine.all_stages && targets >= least;
}

std::uint32_t few_points(FmmSeconds const& cpu, FmmGpuSeconds const& gpu, Machine const& machine,
                         bool on_gpu) noexcept {
  if (on_gpu) return std::uint32_t(std::min(1e6, gpu.m2p / gpu.pair));
  double const pair = machine.gpus > 0 ? gpu.pair / machine.gpus * machine.cpus : cpu.pair;
  return std::uint32_t(std::min(1e6, cpu.m2p / pair));
}

double gpu_blocks(Machine const& machine, double seconds, double gpu_seconds, bool on_gpu) noexcept {
  // Blocks at the faces of what each of several GPUs owns are read by others.
  constexpr double length = 5e-3, most_on_gpu = 16, least_on_several = 4;
  if (on_gpu) {
    double const gpus = machine.gpus, least = gpus > 1 ? least_on_several : 1;
    return gpus * std::clamp(gpu_seconds / (length * gpus), least, most_on_gpu);
  }
  constexpr double shortest = 2e-3, shortest_on_gpu = 4e-4;
  double const most = std::max(1.0 * machine.cpus, 32.0 + 16 * machine.gpus);
  double const blocks = std::clamp(gpu_seconds / shortest_on_gpu, 1.0 * machine.cpus, most);
  return std::max(1.0, std::min(blocks, seconds / shortest));
}

}  // namespace nearfar

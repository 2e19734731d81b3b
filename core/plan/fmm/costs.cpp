// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/costs.hpp"

#include "core/fmm/flops.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

// GPU kernels differ in shape from order to order: relative speeds at a low and a high order, compared with the middle
// one, measured on an H200.
constexpr double low_order = 6, middle_order = 14, high_order = 24, last_dense_order = 19;
constexpr double m2l_at_low = 0.62, m2l_at_last_dense = 0.88, m2l_at_high = 0.35, p2m_at_high = 0.2;

// A pair in single precision inside a solve in double, relative to one in double. Measured: 0.64 (Stokes) to 0.78
// (potentials) on an H200, 0.63 to 0.69 with AVX2.
constexpr double single_on_gpu = 0.6, single_on_cpu = 0.65;

/// A power law in the order: 1 at the middle order, `at` at the order `from`.
double shape(double order, double from, double at) {
  return std::pow(at, std::log(order / middle_order) / std::log(from / middle_order));
}

/// The work of P2M and L2P for one point: a harmonic costs as much as one more weight in P2M, as nine more values of
/// the kernel in L2P. Measured with AVX2 for all kernels, orders 7 to 26; by flops alone, double layers would seem half
/// as expensive as they are.
struct Ends {
  double p2m, l2p;
};
Ends ends_of(Kernel kernel, Outputs outputs, int order) {
  double const coefficients = coefficient_count(order);
  return visit_multipole_kernel(kernel, outputs, [=]<class K>(K) {
    return Ends{(1 + K::Sums::weights) * coefficients, (9 + K::Evaluation::values) * coefficients};
  });
}

Speeds speeds_at(int order, Machine const& machine, WorkerKind kind) {
  Speeds speed = machine.speed.of(kind);
  if (kind == WorkerKind::cpu) return speed;
  bool const low = order < middle_order, dense = order <= last_dense_order;
  speed[WorkRow::m2l] *= low     ? shape(order, low_order, m2l_at_low)
                         : dense ? shape(order, last_dense_order, m2l_at_last_dense)
                                 : shape(order, high_order, m2l_at_high);
  if (!low) speed[WorkRow::p2m] *= shape(order, high_order, p2m_at_high);
  if (speed[WorkRow::evaluation] <= 0) speed[WorkRow::evaluation] = speed[WorkRow::l2p];
  return speed;
}

}  // namespace

FmmFlops fmm_flops(Kernel kernel, Outputs outputs, int p) noexcept {
  return visit_multipole_kernel(kernel, outputs, [p]<class K>(K) {
    return FmmFlops{bare_pair_flops<K>(), m2l_flops(p),    m2m_flops(p),    l2l_flops(p),    p2m_flops<K>(p),
                    l2p_flops<K>(p),      m2p_flops<K>(p), p2l_flops<K>(p), lattice_flops(p)};
  });
}

FmmSeconds fmm_seconds(Kernel kernel, Outputs outputs, int order, Machine const& machine, WorkerKind kind,
                       bool near_in_single, WorkConstants const& c) noexcept {
  if (kind == WorkerKind::gpu && machine.gpus <= 0) return {};
  FmmFlops const f = fmm_flops(kernel, outputs, order);
  Ends const ends = ends_of(kernel, outputs, order);
  Speeds const speed = speeds_at(order, machine, kind);
  double const rhs = describe(kernel).rhs,
               particle = kind == WorkerKind::cpu ? c.per_particle / 2 / speed[WorkRow::points] : 0;
  double const pair = f.pair * c.per_pair_flop / speed[WorkRow::leaf_p2p];
  return {near_in_single ? pair * (kind == WorkerKind::gpu ? single_on_gpu : single_on_cpu) : pair,
          rhs * (c.per_interaction + f.m2l * c.per_m2l_flop) / speed[WorkRow::m2l],
          rhs * (f.m2m + f.l2l) / 2 * c.per_shift_flop / speed[WorkRow::shift],
          ends.p2m * c.per_source / speed[WorkRow::p2m] + particle,
          ends.l2p * c.per_target_value / speed[WorkRow::l2p] + particle,
          f.m2p * c.per_evaluation_flop / speed[WorkRow::evaluation],
          f.p2l * c.per_evaluation_flop / speed[WorkRow::evaluation],
          particle};
}

std::uint32_t few_points(FmmSeconds const& cpu, FmmSeconds const& gpu, Machine const& machine, bool on_gpu) noexcept {
  if (on_gpu) return std::uint32_t(std::min(1e6, gpu.m2p / gpu.pair));
  double const pair = machine.gpus > 0 ? gpu.pair / machine.gpus * machine.cpus : cpu.pair;
  return std::uint32_t(std::min(1e6, cpu.m2p / pair));
}

double gpu_blocks(Machine const& machine, double seconds, double gpu_seconds, bool on_gpu) noexcept {
  // On several GPUs, blocks at the faces of what each owns are read by others: at least this many blocks each. On one,
  // a second block only pays where it lets part of a large solve leave the GPU's memory.
  constexpr double length_on_one = 1, length_on_several = 5e-3, most_on_gpu = 16, least_on_several = 4;
  if (on_gpu && machine.gpus == 1) return std::clamp(gpu_seconds / length_on_one, 1.0, most_on_gpu);
  if (on_gpu) {
    double const gpus = machine.gpus;
    return gpus * std::clamp(gpu_seconds / (length_on_several * gpus), least_on_several, most_on_gpu);
  }
  constexpr double shortest = 2e-3, shortest_on_gpu = 4e-4;
  double const most = std::max(1.0 * machine.cpus, 32.0 + 16 * machine.gpus);
  double const blocks = std::clamp(gpu_seconds / shortest_on_gpu, 1.0 * machine.cpus, most);
  return std::max(1.0, std::min(blocks, seconds / shortest));
}

}  // namespace nearfar

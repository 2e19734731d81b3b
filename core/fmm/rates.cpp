// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/rates.hpp"

#include "core/fmm/flops.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace nearfar {

namespace {

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

/// Between orders, and beyond them, a power of the order.
double between(int from, double first, int to, double last, int order) {
  return first * std::pow(last / first, std::log(double(order) / from) / std::log(double(to) / from));
}

template <class T>
double gpu_link(int order, FmmGpuRates const& r) {
  auto const [low, middle, high] = fmm_gpu_orders<T>;
  return order < middle ? between(low, r.low_link, middle, r.middle_link, order)
                        : between(middle, r.middle_link, high, r.high_link, order);
}

/// By the rates at the middle order and at the high one.
template <class T>
double upper_rate(int order, double usual, double at_high) {
  auto const [low, middle, high] = fmm_gpu_orders<T>;
  return order < middle ? usual : between(middle, usual, high, at_high, order);
}

}  // namespace

double FmmMachine::gpu_blocks(double seconds, double gpu_seconds) const noexcept {
  constexpr double shortest = 2e-3, shortest_on_gpu = 4e-4;
  double const most = std::max(1.0 * cpus, 32.0 + 16 * gpus);
  double const blocks = std::clamp(gpu_seconds / shortest_on_gpu, 1.0 * cpus, most);
  return std::max(1.0, std::min(blocks, seconds / shortest));
}

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

FmmSeconds fmm_seconds(Kernel kernel, bool gradient, int order, FmmRates const& r) noexcept {
  FmmFlops const f = fmm_flops(kernel, gradient, order);
  FmmEnds const ends = fmm_ends(kernel, gradient, order);
  double const rhs = fmm_right_hand_sides(kernel);
  return {f.pair * r.pair,
          rhs * (r.link + f.m2l * r.translation),
          rhs * (f.m2m + f.l2l) / 2 * r.shift,
          ends.p2m * r.source + r.particle / 2,
          ends.l2p * r.target + r.particle / 2,
          f.m2p * r.evaluation,
          f.p2l * r.evaluation,
          r.particle / 2};
}

template <class T>
FmmSeconds fmm_cpu_seconds(Kernel kernel, bool gradient, int order, FmmMachine const& m) noexcept {
  FmmSeconds seconds = fmm_seconds(kernel, gradient, order, m.rates);
  if (m.gpus > 0)
    seconds.source = seconds.particle +
                     fmm_ends(kernel, gradient, order).p2m * upper_rate<T>(order, m.rates.source, m.rates.high_source);
  return seconds;
}

template <class T>
FmmGpuSeconds fmm_gpu_seconds(Kernel kernel, bool gradient, int order, FmmGpuRates const& r) noexcept {
  FmmFlops const f = fmm_flops(kernel, gradient, order);
  double const rhs = fmm_right_hand_sides(kernel);
  return {f.pair * r.pair,
          rhs * gpu_link<T>(order, r),
          rhs * (f.m2m + f.l2l) / 2 * upper_rate<T>(order, r.shift, r.high_shift),
          f.p2m * upper_rate<T>(order, r.source, r.high_source),
          f.l2p * r.target,
          r.task,
          r.short_task,
          r.start};
}

std::uint32_t few_points(FmmSeconds const& cpu, FmmGpuSeconds const& gpu, FmmMachine const& machine) noexcept {
  double const pair = machine.gpus > 0 ? gpu.pair / machine.gpus * machine.cpus : cpu.pair;
  return std::uint32_t(std::min(1e6, cpu.m2p / pair));
}

template <class T>
FmmRates default_fmm_rates() noexcept {
  double const lanes = std::is_same_v<T, float> ? 0.5 : 1;
  return {lanes * 1.5e-11, lanes * 1.25e-11, lanes * 3e-9, lanes * 1.9e-11, lanes * 5e-11,
          lanes * 1.6e-11, lanes * 2.5e-11,  3e-8,         lanes * 5e-11};
}

#define NEARFAR_INSTANTIATE(T)                                                           \
  template FmmRates default_fmm_rates<T>() noexcept;                                     \
  template FmmSeconds fmm_cpu_seconds<T>(Kernel, bool, int, FmmMachine const&) noexcept; \
  template FmmGpuSeconds fmm_gpu_seconds<T>(Kernel, bool, int, FmmGpuRates const&) noexcept;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

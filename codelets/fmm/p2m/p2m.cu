// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/fmm/p2m/p2m_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

/// Calls f(program) with the least number of coefficients for each thread.
template <class Sums, class T, class F>
void with_program(int order, F const& f) {
  int const slots = (coefficient_count(order) - 1) / P2MTeam<Sums, 1, T>::threads + 1;
  if (slots == 1) f(P2MTeam<Sums, 1, T>());
  else if (slots == 2) f(P2MTeam<Sums, 2, T>());
  else if (slots <= 4) f(P2MTeam<Sums, 4, T>());
  else f(P2MTeam<Sums, 8, T>());
}

}  // namespace

template <class Sums, class T>
void launch_p2m(P2MLaunch<T> launch, void* stream) {
  std::size_t const bytes = std::size_t(launch.pieces()) * std::size_t(launch.template size<Sums>()) * sizeof(T);
  GpuWorkSpace const work_space(bytes, stream, "P2M");
  launch.part = reinterpret_cast<T*>(work_space.data());
  int const blocks = launch.pieces() * launch.args.vectors * Sums::rhs;
  with_program<Sums, T>(launch.args.order, [&]<class Program>(Program) {
    launch.points = Program::points_at_once(launch.args.order, gpu_shared_room());
    auto const numbers = std::size_t(Program::memory_size(launch.args.order, launch.points));
    gpu_run_teams<Program, T>(blocks, numbers * sizeof(T), stream, launch, "makes multipoles of points (P2M)");
  });
  using Gather = P2MGatherTeam<Sums, T>;
  gpu_run_teams<Gather, T>(launch.leaves * Gather::blocks_per_leaf(launch), stream, launch, "adds multipoles (P2M)");
}

#define NEARFAR_INSTANTIATE(T, Sums) template void launch_p2m<Sums>(P2MLaunch<T>, void*);
NEARFAR_EACH_SUMS(NEARFAR_INSTANTIATE)

}  // namespace nearfar

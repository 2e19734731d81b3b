// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_for_all.hpp"
#include "codelets/fmm/p2m/p2l_gpu.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

namespace {

/// Calls f(program) with the least number of coefficients for each thread.
template <Kernel K, class T, class F>
void with_program(int order, F const& f) {
  using One = P2LTeam<K, 1, T>;
  int const slots = (coefficient_count(One::top(order)) - 1) / One::threads + 1;
  if (slots == 1) f(One());
  else if (slots <= 3) f(P2LTeam<K, 3, T>());
  else f(P2LTeam<K, 8, T>());
}

}  // namespace

template <Kernel K, class T>
void launch_p2l(P2LLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources, void* stream) {
  if (launch.boxes == 0) return;
  with_program<K, T>(launch.args.order, [&]<class Program>(Program) {
    gpu_run_teams<Program, T>(Program::blocks(launch), stream, GpuArguments{launch, sources},
                              "makes locals of points (P2L)");
  });
}

#define NEARFAR_INSTANTIATE(T, K) \
  template void launch_p2l<K>(P2LLaunch<T> const&, LaunchList<PairSources<T>> const&, void*);
NEARFAR_EACH_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/fmm/p2m/p2l_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

/// Calls f(program) with the least number of coefficients for each thread.
template <class Sums, class T, class F>
void with_program(int order, F const& f) {
  using One = P2LTeam<Sums, 1, T>;
  int const slots = (coefficient_count(One::Moments::top(order)) - 1) / One::threads + 1;
  if (slots == 1) f(One());
  else if (slots <= 3) f(P2LTeam<Sums, 3, T>());
  else f(P2LTeam<Sums, 8, T>());
}

}  // namespace

template <class Sums, class T>
void launch_p2l(P2LLaunch<T> const& launch, LaunchList<PairSources<T>> const& sources, void* stream) {
  if (launch.boxes == 0) return;
  with_program<Sums, T>(launch.args.order, [&]<class Program>(Program) {
    gpu_run_teams<Program, T>(Program::blocks(launch), stream, GpuArguments{launch, sources},
                              "makes locals of points (P2L)");
  });
}

#define NEARFAR_INSTANTIATE(T, Sums) \
  template void launch_p2l<Sums>(P2LLaunch<T> const&, LaunchList<PairSources<T>> const&, void*);
NEARFAR_EACH_SUMS(NEARFAR_INSTANTIATE)

}  // namespace nearfar

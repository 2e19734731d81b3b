// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/fmm/l2p/m2p_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class E, class T>
void launch_m2p(M2PLaunch<T> const& launch, LaunchList<T const*> const& multipoles, void* stream) {
  if (launch.leaves == 0) return;
  using Program = M2PTeam<E, T>;
  gpu_run_teams<Program, T>(Program::blocks(launch), stream, GpuArguments{launch, multipoles},
                            "evaluates multipoles (M2P)");
}

#define NEARFAR_INSTANTIATE(T, E) template void launch_m2p<E>(M2PLaunch<T> const&, LaunchList<T const*> const&, void*);
NEARFAR_EACH_EVALUATION(NEARFAR_INSTANTIATE)

}  // namespace nearfar

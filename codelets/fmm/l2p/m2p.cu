// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "codelets/fmm/l2p/m2p_gpu.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

namespace {

template <class Program, class T>
__global__ void __launch_bounds__(Program::threads)
    m2p_kernel(M2PLaunch<T> const launch, LaunchList<T const*> const multipoles) {
  __shared__ T memory[Program::memory_size];
  GpuTeam<typename Program::State> team;
  Program::run(team, launch, multipoles, int(blockIdx.x), memory);
}

}  // namespace

template <Kernel K, bool Gradient, class T>
void launch_m2p(M2PLaunch<T> const& launch, LaunchList<T const*> const& multipoles, void* stream) {
  if (launch.leaves == 0) return;
  using Program = M2PTeam<K, Gradient, T>;
  m2p_kernel<Program, T>
      <<<unsigned(Program::blocks(launch)), Program::threads, 0, static_cast<GpuStream>(stream)>>>(launch, multipoles);
  gpu_expect(gpu_last_status(), "the M2P kernel could not be launched on " + std::to_string(launch.leaves) + " leaves");
}

#define NEARFAR_INSTANTIATE(T, K, G) \
  template void launch_m2p<K, G>(M2PLaunch<T> const&, LaunchList<T const*> const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

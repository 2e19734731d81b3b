// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "codelets/common/gpu_team.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_gpu.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

namespace {

template <class Program, class T>
__global__ void __launch_bounds__(Program::threads, gpu_bound(Program::resident))
    fmm_p2p_kernel(FmmP2PLaunch<T> const launch, LaunchList<PairSources<T>> const sources) {
  __shared__ T memory[Program::memory_size];
  GpuTeam<typename Program::State> team;
  Program::run(team, launch, sources, int(blockIdx.x), memory);
}

template <class Program, class T>
__global__ void __launch_bounds__(Program::threads) gather_kernel(FmmP2PLaunch<T> const launch, bool add) {
  GpuTeam<NoState> team;
  Program::run(team, launch, add, int(blockIdx.x));
}

}  // namespace

template <Kernel K, bool Gradient, class T>
void launch_fmm_p2p(FmmP2PLaunch<T> launch, LaunchList<PairSources<T>> const& sources, void* stream) {
  using Program = FmmP2PTeam<K, Gradient, T>;
  auto const to = static_cast<GpuStream>(stream);
  GpuWorkSpace const work_space(std::size_t(launch.template part_size<K, Gradient>()) * sizeof(T), stream, "P2P");
  launch.part = reinterpret_cast<T*>(work_space.data());
  fmm_p2p_kernel<Program, T><<<unsigned(launch.blocks()), Program::threads, 0, to>>>(launch, sources);
  using Gather = FmmP2PGatherTeam<K, Gradient, T>;
  gather_kernel<Gather, T><<<unsigned(launch.leaves), Gather::threads, 0, to>>>(launch, sources.first > 0);
  gpu_expect(gpu_last_status(),
             "the P2P kernels could not be launched on " + std::to_string(launch.leaves) + " leaves");
}

#define NEARFAR_INSTANTIATE(T, K, G) \
  template void launch_fmm_p2p<K, G>(FmmP2PLaunch<T>, LaunchList<PairSources<T>> const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

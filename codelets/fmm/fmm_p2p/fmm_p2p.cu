// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_for_all.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_gpu.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

template <Kernel K, bool Gradient, class T>
void launch_fmm_p2p(FmmP2PLaunch<T> launch, LaunchList<PairSources<T>> const& sources, void* stream) {
  using Program = FmmP2PTeam<K, Gradient, T>;
  GpuWorkSpace const work_space(std::size_t(launch.template part_size<K, Gradient>()) * sizeof(T), stream, "P2P");
  launch.part = reinterpret_cast<T*>(work_space.data());
  gpu_run_teams<Program, T>(launch.blocks(), stream, GpuArguments{launch, sources}, "sums pairs of leaves (P2P)");
  using Gather = FmmP2PGatherTeam<K, Gradient, T>;
  gpu_run_teams<Gather, T>(launch.leaves, stream, GpuArguments{launch, sources.first > 0},
                           "adds sums of pairs of leaves (P2P)");
}

#define NEARFAR_INSTANTIATE(T, K, G) \
  template void launch_fmm_p2p<K, G>(FmmP2PLaunch<T>, LaunchList<PairSources<T>> const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

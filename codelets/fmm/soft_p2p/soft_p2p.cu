// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/fmm/soft_p2p/soft_p2p_gpu.hpp"
#include "codelets/fmm/soft_p2p/soft_p2p_team.hpp"

namespace nearfar {

template <class K, class T>
void launch_soft_p2p(FmmP2PLaunch<T> launch, LaunchList<PairSources<T>> const& sources, void* stream) {
  GpuWorkSpace const work_space(std::size_t(launch.template part_size<K>()) * sizeof(T), stream, "P2P");
  launch.part = reinterpret_cast<T*>(work_space.data());
  gpu_run_teams<SoftP2PTeam<K, T>, T>(launch.blocks(), stream, GpuArguments{launch, sources},
                                      "sums softened pairs of leaves (P2P)");
  using Gather = FmmP2PGatherTeam<K, T>;
  gpu_run_teams<Gather, T>(launch.leaves, stream, GpuArguments{launch, sources.first > 0},
                           "adds sums of softened pairs of leaves (P2P)");
}

#define NEARFAR_INSTANTIATE(T, K) \
  template void launch_soft_p2p<K>(FmmP2PLaunch<T>, LaunchList<PairSources<T>> const&, void*);
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar

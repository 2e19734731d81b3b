// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_gpu.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_mixed_team.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_team.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class K, class A, class T>
void launch_fmm_p2p(FmmP2PLaunch<T> launch, LaunchList<PairSources<T>> const& sources, void* stream) {
  GpuWorkSpace const work_space(std::size_t(launch.template part_size<K>()) * sizeof(T), stream, "P2P");
  launch.part = reinterpret_cast<T*>(work_space.data());
  GpuArguments const arguments{launch, sources};
  char const* const what = "sums pairs of leaves (P2P)";
  if constexpr (sizeof(A) < sizeof(T)) {
    using Program = FmmP2PMixedTeam<K>;
    gpu_run_teams<Program, typename Program::Memory>(launch.blocks(), stream, arguments, what);
  } else {
    gpu_run_teams<FmmP2PTeam<K, T>, T>(launch.blocks(), stream, arguments, what);
  }
  using Gather = FmmP2PGatherTeam<K, T>;
  gpu_run_teams<Gather, T>(launch.leaves, stream, GpuArguments{launch, sources.first > 0},
                           "adds sums of pairs of leaves (P2P)");
}

#define NEARFAR_INSTANTIATE(T, A, K) \
  template void launch_fmm_p2p<K, A>(FmmP2PLaunch<T>, LaunchList<PairSources<T>> const&, void*);
NEARFAR_EACH_LEAF_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

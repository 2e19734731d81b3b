// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "codelets/common/gpu_team.hpp"
#include "codelets/fmm/l2p/l2p_gpu.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

template <Kernel K, bool Gradient, class T>
void launch_l2p(L2PLaunch<T> const& launch, void* stream) {
  using Program = L2PTeam<K, Gradient, T>;
  unsigned const blocks = unsigned(launch.pieces(Program::threads) * launch.args.vectors);
  team_kernel<Program, T><<<blocks, Program::threads, 0, static_cast<GpuStream>(stream)>>>(launch);
  gpu_expect(gpu_last_status(), "the L2P kernel could not be launched on " + std::to_string(launch.leaves) + " leaves");
}

#define NEARFAR_INSTANTIATE(T, K, G) template void launch_l2p<K, G>(L2PLaunch<T> const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

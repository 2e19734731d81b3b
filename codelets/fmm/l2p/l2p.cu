// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_for_all.hpp"
#include "codelets/fmm/l2p/l2p_gpu.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

template <Kernel K, bool Gradient, class T>
void launch_l2p(L2PLaunch<T> const& launch, void* stream) {
  using Program = L2PTeam<K, Gradient, T>;
  gpu_run_teams<Program, T>(launch.pieces(Program::threads) * launch.args.vectors, stream, launch,
                            "evaluates local expansions (L2P)");
}

#define NEARFAR_INSTANTIATE(T, K, G) template void launch_l2p<K, G>(L2PLaunch<T> const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/fmm/l2p/l2p_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class E, class T>
void launch_l2p(L2PLaunch<T> const& launch, void* stream) {
  using Program = L2PTeam<E, T>;
  gpu_run_teams<Program, T>(launch.pieces(Program::threads) * launch.args.vectors, stream, launch,
                            "evaluates local expansions (L2P)");
}

#define NEARFAR_INSTANTIATE(T, E) template void launch_l2p<E>(L2PLaunch<T> const&, void*);
NEARFAR_EACH_EVALUATION(NEARFAR_INSTANTIATE)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/spectral/g2p/g2p_gpu.hpp"
#include "codelets/spectral/g2p/g2p_target.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class Gather, class T>
void launch_g2p_by_targets(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream) {
  gpu_for_all(launch.args.chunk.count(), stream, GatherOneTarget<Gather, T>{launch, slabs}, "gathers target by target");
}

namespace {

template <class Gather, class T>
struct TurnGathered {
  G2PLaunch<T> launch;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    turn_gathered<Gather>(launch.args.grid.layout, launch.result + i, launch.result_stride);
  }
};

}  // namespace

template <class Gather, class T>
void launch_turn_gathered(G2PLaunch<T> const& launch, void* stream) {
  gpu_for_all(launch.args.chunk.count(), stream, TurnGathered<Gather, T>{launch}, "turns slopes to the axes");
}

#define NEARFAR_INSTANTIATE(T, Gather)                                                                  \
  template void launch_g2p_by_targets<Gather>(G2PLaunch<T> const&, LaunchList<T const*> const&, void*); \
  template void launch_turn_gathered<Gather>(G2PLaunch<T> const&, void*);
NEARFAR_EACH_GATHER(NEARFAR_INSTANTIATE)

}  // namespace nearfar

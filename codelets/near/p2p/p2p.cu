// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_warp.hpp"
#include "codelets/near/p2p/p2p_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

template <class Program, class T, class A>
__global__ void __launch_bounds__(Program::threads, Program::resident)
    p2p_kernel(P2PLaunch<T> const launch, LaunchList<SourceView<A>> const sources) {
  if constexpr (has_warps_of<Program::threads>) {
    using Memory = typename Program::Memory;
    alignas(Memory) __shared__ unsigned char memory[sizeof(Memory)];
    GpuWarp<typename Program::State> warp;
    Program::run(warp, launch, sources, int(blockIdx.x), *reinterpret_cast<Memory*>(memory));
  }
}

template <class Program, class T, class A>
void launch_program(P2PLaunch<T> const& launch, LaunchList<SourceView<A>> const& sources, void* stream) {
  p2p_kernel<Program, T, A>
      <<<unsigned(Program::blocks(launch.args.chunk)), Program::threads, 0, static_cast<GpuStream>(stream)>>>(launch,
                                                                                                              sources);
}

/// Three sizes of tiles take three times as long to compile: not where this is only linked.
#if defined(NEARFAR_ONE_TILE)
constexpr bool has_all_tiles = false;
#else
constexpr bool has_all_tiles = true;
#endif

/// With few targets, only small tiles make enough work to fill a large GPU. Measured on one with 132 multiprocessors.
/// Kernels with second slopes, which are rare and take long to compile, have one size.
template <class K, int warp, class T, class A>
void launch_tiles(P2PLaunch<T> const& launch, LaunchList<SourceView<A>> const& sources, void* stream) {
  if constexpr (K::results > 4 || !has_all_tiles)
    return launch_program<P2PTeam<K, T, warp, 4, A>>(launch, sources, stream);
  else {
    int const targets = launch.args.chunk.count();
    if (targets < 5000) launch_program<P2PTeam<K, T, warp, 2, A>>(launch, sources, stream);
    else if (targets < 20000) launch_program<P2PTeam<K, T, warp, 4, A>>(launch, sources, stream);
    else launch_program<P2PTeam<K, T, warp, 8, A>>(launch, sources, stream);
  }
}

}  // namespace

template <class K, class T, class A>
void launch_p2p(P2PLaunch<T> const& launch, LaunchList<SourceView<A>> const& sources, void* stream) {
  int threads = 0;
  gpu_expect(gpu_warp_size(&threads), "the GPU does not say how many threads its warps have");
  if (threads == 32) launch_tiles<K, 32>(launch, sources, stream);
#if defined(__HIPCC__)
  else launch_tiles<K, 64>(launch, sources, stream);
#endif
  gpu_expect(gpu_last_status(),
             "the P2P kernel could not be launched on " + std::to_string(launch.args.chunk.count()) + " targets");
}

#define NEARFAR_INSTANTIATE(T, A, K) \
  template void launch_p2p<K>(P2PLaunch<T> const&, LaunchList<SourceView<A>> const&, void*);
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

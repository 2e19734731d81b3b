// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/spectral/p2g/p2g_gpu.hpp"

#include <type_traits>

namespace nearfar {

namespace {

template <class Program, class T>
__global__ void __launch_bounds__(Program::threads, gpu_bound(256 / Program::threads * Program::resident))
    p2g_kernel(P2GLaunch<T> const launch, LaunchList<BlockView<T>> const sources) {
  using Memory = typename Program::Memory;
  extern __shared__ __align__(16) unsigned char memory[];
  GpuTeam<typename Program::State> team;
  Program::run(team, launch, sources, int(blockIdx.x), *reinterpret_cast<Memory*>(memory));
}

template <class Program, class T>
void launch_program(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream) {
  constexpr std::size_t bytes = sizeof(typename Program::Memory);
  static_assert(bytes <= std::size_t(gpu_shared_bytes));
  gpu_expect(gpu_allow_shared(reinterpret_cast<void const*>(p2g_kernel<Program, T>)), "no shared memory for P2G");
  p2g_kernel<Program, T>
      <<<unsigned(Program::blocks(launch.args)), Program::threads, bytes, static_cast<GpuStream>(stream)>>>(launch,
                                                                                                            sources);
}

#if defined(__HIPCC__)
template <class Spread, class T>
using Nodes = NodesByRow<Spread, T>;
#else
/// NVIDIA's tensor cores support double precision.
template <class Spread, class T>
using Nodes = std::conditional_t<std::is_same_v<T, double>, NodesByMatrix<Spread, T>, NodesByRow<Spread, T>>;
#endif

/// On small grids, only small tiles make enough work to fill a large GPU.
template <template <class, int> class Spread, class T>
void launch_tiles(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream) {
  using Large = P2GTeam<Spread, T, TileShape<2, 2, 2>, Nodes>;
  using Small = P2GTeam<Spread, T, TileShape<2, 1, 1>, Nodes>;
  if (Large::blocks(launch.args) < 500) launch_program<Small>(launch, sources, stream);
  else launch_program<Large>(launch, sources, stream);
}

}  // namespace

template <Spreading S, class T>
void launch_p2g(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream) {
  if constexpr (S == Spreading::double_layer) launch_tiles<SpreadDoubleLayer>(launch, sources, stream);
  else if constexpr (S == Spreading::dipoles) launch_tiles<SpreadDipoles>(launch, sources, stream);
  else if constexpr (S == Spreading::force_dipoles) launch_tiles<SpreadForceDipoles>(launch, sources, stream);
  else if (launch.args.components == 1) launch_tiles<SpreadScalar>(launch, sources, stream);
  else launch_tiles<SpreadVector>(launch, sources, stream);
  gpu_expect(gpu_last_status(), "the P2G kernel could not be launched for slab " + std::to_string(launch.args.slab));
}

#define NEARFAR_INSTANTIATE(T, S) \
  template void launch_p2g<S>(P2GLaunch<T> const&, LaunchList<BlockView<T>> const&, void*);
NEARFAR_EACH_SPREADING(NEARFAR_INSTANTIATE)

}  // namespace nearfar

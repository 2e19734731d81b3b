// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_warp.hpp"
#include "codelets/spectral/g2p/g2p_brick_team.hpp"
#include "codelets/spectral/g2p/g2p_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

constexpr int bank_bytes = 128;  ///< shared memory read in one access

/// Warps per GPU block: neighbouring targets read the same nodes, through the L1 cache. As many as shared memory holds.
template <class Program>
constexpr int warps_together = 8 * sizeof(typename Program::Memory) <= 48 * 1024 ? 8 : 4;

template <class Program, class T>
__global__ void __launch_bounds__(Program::threads* warps_together<Program>, gpu_bound(2))
    g2p_kernel(G2PLaunch<T> const launch, LaunchList<T const*> const slabs) {
  if constexpr (has_warps_of<Program::threads>) {
    using Memory = typename Program::Memory;
    alignas(Memory) __shared__ unsigned char memory[warps_together<Program> * sizeof(Memory)];
    GpuWarp<typename Program::State> warp;
    int const number = int(blockIdx.x) * warps_together<Program> + int(threadIdx.y);
    if (number < Program::warps(launch.args.chunk))
      Program::run(warp, launch, slabs, number, reinterpret_cast<Memory*>(memory)[threadIdx.y]);
  }
}

template <class Program, class T>
void launch_program(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream) {
  int const blocks = (Program::warps(launch.args.chunk) + warps_together<Program> - 1) / warps_together<Program>;
  g2p_kernel<Program, T>
      <<<unsigned(blocks), dim3(Program::threads, warps_together<Program>), 0, static_cast<GpuStream>(stream)>>>(launch,
                                                                                                                 slabs);
}

/// False where bricks do not fit, are too few to fill a large GPU, or would read hardly less than their targets do.
template <class Gather, class T, int passes>
bool launch_bricks(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream) {
  using Program = G2PBrickTeam<Gather, T, passes>;
  constexpr int few = 400;
  constexpr double much_less = 0.6, full = 0.75;
  GatherBrick const brick =
      gather_brick(launch.args, full * Program::batch, bank_bytes / int(sizeof(T)),
                   [](GatherBrick const& b) { return std::size_t(Program::bytes(b)) <= gpu_shared_room(); });
  double const of_windows = double(launch.args.chunk.count()) * std::pow(launch.args.grid.window, 3);
  if (brick.count() < few || brick.read() > much_less * of_windows) return false;
  gpu_run_teams<Program, typename Program::Memory>(brick.count(), std::size_t(Program::bytes(brick)), stream,
                                                   typename Program::Launch{launch, brick, slabs},
                                                   "gathers for bricks");
  return true;
}

/// Windows that are gathered faster by bricks: not narrow ones, whose rows touch few cache lines, and not those with
/// slopes, where more is computed per node.
template <class Gather, class T>
bool launch_bricks(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream) {
  int const window = launch.args.grid.window, wide = window * window;
  if (Gather::slopes || window <= 8) return false;
  if (wide <= 4 * 32) return launch_bricks<Gather, T, 4>(launch, slabs, stream);
  if (wide <= 5 * 32) return launch_bricks<Gather, T, 5>(launch, slabs, stream);
  return wide <= 7 * 32 && launch_bricks<Gather, T, 7>(launch, slabs, stream);
}

/// Picks the program with just the registers for as many rows and columns as the window has.
template <class Gather, class T, int warp>
void launch_passes(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream) {
  int const passes = g2p_passes(warp, launch.args.grid.window);
  if (passes <= 1) launch_program<G2PTeam<Gather, T, warp, 1>>(launch, slabs, stream);
  else if (passes <= 2) launch_program<G2PTeam<Gather, T, warp, 2>>(launch, slabs, stream);
  else if (passes <= 4) launch_program<G2PTeam<Gather, T, warp, 4>>(launch, slabs, stream);
  else if (passes <= 6) launch_program<G2PTeam<Gather, T, warp, 6>>(launch, slabs, stream);
  else if (passes <= 8) launch_program<G2PTeam<Gather, T, warp, 8>>(launch, slabs, stream);
  else launch_program<G2PTeam<Gather, T, warp, 20>>(launch, slabs, stream);
}

}  // namespace

template <class Gather, class T>
void launch_g2p(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream) {
  // Threads that shared a target with such a window would have little to do.
  constexpr int narrow = 4;
  if (!Gather::slopes && launch.args.grid.window <= narrow) return launch_g2p_by_targets<Gather>(launch, slabs, stream);
  if (launch_bricks<Gather>(launch, slabs, stream)) return;
  int threads = 0;
  gpu_expect(gpu_warp_size(&threads), "the GPU does not say how many threads its warps have");
  if (threads == 32) launch_passes<Gather, T, 32>(launch, slabs, stream);
#if defined(__HIPCC__)
  else launch_passes<Gather, T, 64>(launch, slabs, stream);
#endif
  gpu_expect(gpu_last_status(),
             "the G2P kernel could not be launched on " + std::to_string(launch.args.chunk.count()) + " targets");
}

#define NEARFAR_INSTANTIATE(T, Gather) \
  template void launch_g2p<Gather>(G2PLaunch<T> const&, LaunchList<T const*> const&, void*);
NEARFAR_EACH_GATHER(NEARFAR_INSTANTIATE)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/translate/dense_gather_team.hpp"
#include "codelets/fmm/translate/dense_gpu.hpp"
#include "codelets/fmm/translate/once_per_device.hpp"

#include <type_traits>

namespace nearfar {

namespace {

template <class T>
__global__ void __launch_bounds__(DenseMatrixTeam<T>::threads) dense_matrix_kernel(DenseLaunch<T> const launch) {
  GpuTeam<NoState> team;
  DenseMatrixTeam<T>::run(team, launch, int(blockIdx.x));
}

template <class T>
__global__ void __launch_bounds__(DensePieceTeam<T>::threads)
    dense_piece_kernel(DenseLaunch<T> const launch, int lanes) {
  __shared__ typename DensePieceTeam<T>::Memory memory;
  GpuTeam<NoState> team;
  DensePieceTeam<T>::run(team, launch, lanes, int(blockIdx.x), memory);
}

template <class T>
__global__ void __launch_bounds__(32 * DenseShiftTeam<T>::max_warps, 2)
    dense_shift_kernel(DenseLaunch<T> const launch, LaunchList<T const*> const sources, int lanes) {
  extern __shared__ double memory[];
  GpuTeam<NoState> team;
  DenseShiftTeam<T>::run(team, launch, sources, lanes, int(blockIdx.x), memory);
}

template <class T>
__global__ void __launch_bounds__(DenseGatherTeam<T>::threads) dense_gather_kernel(DenseLaunch<T> const launch) {
  extern __shared__ double memory[];
  GpuTeam<NoState> team;
  DenseGatherTeam<T>::run(team, launch, int(blockIdx.x), memory);
}

}  // namespace

template <class T>
int dense_lanes(int order) {
  // Without matrix units, shifts by rotations are faster than dense matrices above max_order_by_threads.
#if defined(__HIPCC__)
  constexpr bool by_units = false;
#else
  constexpr bool by_units = std::is_same_v<T, double>;
#endif
  constexpr int max_order_by_threads = 10;
  if (!by_units && order > max_order_by_threads) return 0;
  using Program = DenseShiftTeam<T>;
  int lanes = Program::most_lanes;
  while (lanes >= Program::least_lanes && Program::memory_size(DenseLayout{order}, lanes) > gpu_shared_bytes)
    lanes /= 2;
  return lanes < Program::least_lanes ? 0 : lanes;
}

template <class T>
void launch_dense_matrices(DenseLaunch<T> const& launch, void* stream) {
  using Program = DenseMatrixTeam<T>;
  dense_matrix_kernel<T>
      <<<unsigned(Program::blocks(launch)), Program::threads, 0, static_cast<GpuStream>(stream)>>>(launch);
}

template <class T>
void launch_dense_shift(DenseLaunch<T> const& launch, LaunchList<T const*> const& sources, int lanes, void* stream) {
  once_per_device([] {
    gpu_expect(gpu_allow_shared(reinterpret_cast<void const*>(dense_shift_kernel<T>)), "no room for translations");
  });
  auto const to = static_cast<GpuStream>(stream);
  DenseLayout const layout = launch.layout();
  dense_piece_kernel<T><<<unsigned(launch.base.keys), DensePieceTeam<T>::threads, 0, to>>>(launch, lanes);
  using Program = DenseShiftTeam<T>;
  auto const blocks = unsigned(launch.base.max_pieces(lanes)), threads = unsigned(32 * Program::warps(layout, lanes));
  auto const bytes = std::size_t(Program::memory_size(layout, lanes));
  if (blocks > 0) dense_shift_kernel<T><<<blocks, threads, bytes, to>>>(launch, sources, lanes);
  using Gather = DenseGatherTeam<T>;
  dense_gather_kernel<T>
      <<<unsigned(launch.base.targets()), Gather::threads, std::size_t(Gather::memory_size(launch.base.keys)), to>>>(
          launch);
}

#define NEARFAR_INSTANTIATE(T)                                       \
  template int dense_lanes<T>(int);                                  \
  template void launch_dense_matrices(DenseLaunch<T> const&, void*); \
  template void launch_dense_shift(DenseLaunch<T> const&, LaunchList<T const*> const&, int, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

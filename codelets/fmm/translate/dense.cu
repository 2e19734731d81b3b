// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/fmm/translate/dense_gather_team.hpp"
#include "codelets/fmm/translate/dense_gpu.hpp"

#include <type_traits>

namespace nearfar {

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
  while (lanes >= Program::least_lanes &&
         std::size_t(Program::memory_size(DenseLayout{order}, lanes)) > gpu_shared_room())
    lanes /= 2;
  return lanes < Program::least_lanes ? 0 : lanes;
}

template <class T>
void launch_dense_matrices(DenseLaunch<T> const& launch, void* stream) {
  using Program = DenseMatrixTeam<T>;
  gpu_run_teams<Program, T>(Program::blocks(launch), stream, launch, "makes matrices of translations");
}

template <class T>
void launch_dense_shift(DenseLaunch<T> const& launch, LaunchList<T const*> const& sources, int lanes, void* stream) {
  using Cut = DensePieceTeam<T>;
  gpu_run_teams<Cut, typename Cut::Memory>(launch.base.keys, stream, GpuArguments{launch, lanes},
                                           "cuts translations into pieces");
  using Program = DenseShiftTeam<T>;
  DenseLayout const layout = launch.layout();
  GpuTeams const teams{launch.base.max_pieces(lanes), 32 * Program::warps(layout, lanes),
                       std::size_t(Program::memory_size(layout, lanes))};
  if (teams.count > 0)
    gpu_run_teams<Program, void>(teams, stream, GpuArguments{launch, sources, lanes}, "translates expansions");
  using Gather = DenseGatherTeam<T>;
  gpu_run_teams<Gather, void>(launch.base.targets(), std::size_t(Gather::memory_size(launch.base.keys)), stream,
                              GpuArguments{launch}, "adds translated expansions");
}

#define NEARFAR_INSTANTIATE(T)                                       \
  template int dense_lanes<T>(int);                                  \
  template void launch_dense_matrices(DenseLaunch<T> const&, void*); \
  template void launch_dense_shift(DenseLaunch<T> const&, LaunchList<T const*> const&, int, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

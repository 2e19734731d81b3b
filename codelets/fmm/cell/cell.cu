// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/fmm/cell/cell_gpu.hpp"

namespace nearfar {

template <class T>
void launch_cell_moment(CellMomentLaunch<T> launch, void* stream) {
  using Program = CellMomentTeam<T>;
  using Gather = CellMomentGatherTeam<T>;
  int const blocks = Program::parts * launch.args.vectors;
  GpuWorkSpace const space(sizeof(double) * std::size_t(cell_moments * blocks), stream, "moments of a cell");
  launch.part = reinterpret_cast<double*>(space.data());
  gpu_run_teams<Program, double>(blocks, stream, launch, "finds moments of a cell");
  gpu_run_teams<Gather, double>(launch.args.vectors, stream, launch, "adds moments of a cell");
}

void launch_cell_sum(CellSumArgs const& args, LaunchList<double const*> const& moments, bool last,
                     StrengthUnit const* units, double* out, BadNumber* bad, void* stream) {
  gpu_run_teams<CellSumTeam, double>(1, stream, GpuArguments{args, moments, last, units, out, bad},
                                     "adds the moments of a cell");
}

template <int Slopes, class T>
void launch_cell_field(CellFieldLaunch<T> const& launch, void* stream) {
  using Program = CellFieldTeam<Slopes, T>;
  int const blocks = Program::blocks_per_vector(launch) * launch.args.vectors;
  if (blocks > 0) gpu_run_teams<Program, T>(blocks, stream, launch, "evaluates the field of a cell");
}

#define NEARFAR_INSTANTIATE(T)                                          \
  template void launch_cell_moment(CellMomentLaunch<T>, void*);         \
  template void launch_cell_field<0>(CellFieldLaunch<T> const&, void*); \
  template void launch_cell_field<1>(CellFieldLaunch<T> const&, void*); \
  template void launch_cell_field<2>(CellFieldLaunch<T> const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/moment/moment_gpu.hpp"

namespace nearfar {

template <class T>
void launch_moment(MomentLaunch<T> launch, void* stream) {
  using Program = MomentTeam<T>;
  GpuWorkSpace const space(sizeof(double) * moment_size * Program::parts, stream, "moments");
  launch.part = reinterpret_cast<double*>(space.data());
  gpu_run_teams<Program, double>(Program::parts, stream, launch, "finds moments");
  gpu_run_teams<MomentGatherTeam<T>, double>(1, stream, launch, "adds the parts of a moment");
}

void launch_moment_sum(MomentSumLoop const& sum, void* stream) {
  gpu_for_all(moment_size, stream, sum, "adds moments");
}

template void launch_moment(MomentLaunch<double>, void*);
template void launch_moment(MomentLaunch<float>, void*);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/near/check/check_rows_gpu.hpp"

namespace nearfar {

template <class T>
void launch_check_rows(CheckRowsLaunch<T> launch, void* stream) {
  GpuWorkSpace const space(sizeof(double) * std::size_t(launch.parts * RowSums::numbers), stream, "sums of a review");
  launch.part = reinterpret_cast<double*>(space.data());
  gpu_run_teams<CheckRowsTeam<T>, double>(launch.parts, stream, launch, "sums rows for a review");
  gpu_run_teams<CheckRowsGatherTeam<T>, double>(RowSums::numbers, stream, launch, "adds the sums of a review");
}

template void launch_check_rows(CheckRowsLaunch<double>, void*);
template void launch_check_rows(CheckRowsLaunch<float>, void*);

}  // namespace nearfar

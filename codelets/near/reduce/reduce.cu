// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/reduce/reduce_gpu.hpp"

#include "codelets/common/gpu/gpu_for_all.hpp"

namespace nearfar {

template <class T>
void launch_reduce(ReduceLaunch<T> const& launch, void* stream) {
  using Program = ReduceTeam<T>;
  gpu_run_teams<Program, T>(Program::blocks(launch.args), stream, launch, "adds mutual contributions");
}

template void launch_reduce(ReduceLaunch<double> const&, void*);
template void launch_reduce(ReduceLaunch<float> const&, void*);

}  // namespace nearfar

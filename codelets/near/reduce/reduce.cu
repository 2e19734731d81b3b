// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/reduce/reduce_gpu.hpp"

namespace nearfar {

template <class T>
void launch_reduce(ReduceLaunch<T> const& launch, void* stream) {
  using Program = ReduceTeam<T>;
  auto const blocks = unsigned(Program::blocks(launch.args));
  team_kernel<Program, T><<<blocks, Program::threads, 0, static_cast<GpuStream>(stream)>>>(launch);
  gpu_expect(gpu_last_status(), "the kernel that adds " + std::to_string(launch.contributions) +
                                    " mutual contributions could not be launched");
}

template void launch_reduce(ReduceLaunch<double> const&, void*);
template void launch_reduce(ReduceLaunch<float> const&, void*);

}  // namespace nearfar

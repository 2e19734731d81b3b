// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/lattice/lattice_gpu.hpp"

namespace nearfar {

template <class T>
void launch_lattice(LatticeLaunch<T> const& launch, void* stream) {
  using Program = LatticeTeam<T>;
  auto const blocks = unsigned(Program::blocks(launch.args));
  team_kernel<Program, T><<<blocks, Program::threads, 0, static_cast<GpuStream>(stream)>>>(launch);
  gpu_expect(gpu_last_status(),
             "the lattice kernel could not be launched on " + std::to_string(launch.args.rhs) + " expansions");
}

template void launch_lattice(LatticeLaunch<double> const&, void*);
template void launch_lattice(LatticeLaunch<float> const&, void*);

}  // namespace nearfar

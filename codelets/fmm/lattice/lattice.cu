// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/lattice/lattice_gpu.hpp"

#include "codelets/common/gpu/gpu_for_all.hpp"

namespace nearfar {

template <class T>
void launch_lattice(LatticeLaunch<T> const& launch, void* stream) {
  using Program = LatticeTeam<T>;
  gpu_run_teams<Program, T>(Program::blocks(launch.args), stream, launch, "sums over the lattice");
}

template void launch_lattice(LatticeLaunch<double> const&, void*);
template void launch_lattice(LatticeLaunch<float> const&, void*);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/points/units/units_gpu.hpp"

namespace nearfar {

template <class T>
void launch_largest(LargestArgs const& args, T const* rows, double* out, void* stream) {
  using Program = LargestTeam<T>;
  LargestLaunch<T> const launch = LargestLaunch<T>::of(args, rows, out);
  gpu_expect(gpu_fill(out, 0, sizeof(double) * std::size_t(launch.columns()), static_cast<GpuStream>(stream)),
             "largest strengths were not set to 0");
  if (launch.parts == 0) return;
  gpu_run_teams<Program, double>(launch.parts * launch.columns(), stream, launch, "finds the largest strengths");
}

void launch_units(UnitsArgs const& args, LaunchList<double const*> const& largest, StrengthUnit* out, void* stream) {
  gpu_run_teams<UnitsTeam, double>(1, stream, GpuArguments{args, largest, out}, "chooses units");
}

template void launch_largest(LargestArgs const&, double const*, double*, void*);
template void launch_largest(LargestArgs const&, float const*, double*, void*);

}  // namespace nearfar

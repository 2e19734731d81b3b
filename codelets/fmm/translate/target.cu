// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/fmm/translate/target_gpu.hpp"

#include <type_traits>

namespace nearfar {

namespace {

template <class T>
constexpr int most_order = std::is_same_v<T, float> ? 5 : 0;  // of expansions for which a thread has registers

template <class T, int order>
void launch_shift(TargetLaunch<T> const& launch, LaunchList<T const*> const& sources, void* stream) {
  if constexpr (order < most_order<T>)
    if (launch.base.order > order) return launch_shift<T, order + 1>(launch, sources, stream);
  using Program = TargetShiftTeam<T, order>;
  gpu_run_teams<Program, T>(Program::blocks(launch), stream, GpuArguments{launch, sources}, "translates expansions");
}

}  // namespace

template <class T>
bool shifts_by_targets(int order) {
  return order >= 1 && order <= most_order<T>;
}

template <class T>
void launch_harmonics(TargetLaunch<T> const& launch, void* stream) {
  gpu_for_all(launch.numbers(), stream, MakeHarmonic<T>{launch}, "makes harmonics of translations");
}

template <class T>
void launch_target_shift(TargetLaunch<T> const& launch, LaunchList<T const*> const& sources, void* stream) {
  if constexpr (most_order < T >> 0) {
    gpu_for_all(launch.base.last, stream, NoteInteraction<T>{launch.base}, "notes translations");
    launch_shift<T, 1>(launch, sources, stream);
  }
}

#define NEARFAR_INSTANTIATE(T)                                   \
  template bool shifts_by_targets<T>(int);                       \
  template void launch_harmonics(TargetLaunch<T> const&, void*); \
  template void launch_target_shift(TargetLaunch<T> const&, LaunchList<T const*> const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

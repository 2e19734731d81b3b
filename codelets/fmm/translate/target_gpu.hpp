// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/translate/target_team.hpp"

namespace nearfar {

/// Whether expansions of an order are so short that each target is best given to threads of its own.
template <class T>
bool shifts_by_targets(int order);

/// Makes the harmonics, on a stream (cudaStream_t or hipStream_t); returns at once.
template <class T>
void launch_harmonics(TargetLaunch<T> const& launch, void* stream);

/// The interactions from these sources, all of whose targets the launch takes, added up there.
template <class T>
void launch_target_shift(TargetLaunch<T> const& launch, LaunchList<T const*> const& sources, void* stream);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "codelets/pic/totals/totals_team.hpp"

namespace nearfar {

/// The measurements of a block, into its sums, on a stream; returns
/// at once. Throws std::runtime_error if the device refuses.
template <class T>
void launch_measure(typename MeasureTeam<T>::Launch launch, double* sums, void* stream);

/// The totals of all blocks and slabs. `totals`: the numbers of a PicTotals. `bad` receives the first that is not
/// finite, as bad_total counts them.
template <class T>
void launch_tally(TallyArgs const& args, GpuPointers<double> const& sums, GpuPointers<T> const& density, double* totals,
                  BadNumber* bad, void* stream);

}  // namespace nearfar

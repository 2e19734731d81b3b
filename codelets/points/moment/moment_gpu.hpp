// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/moment/moment_team.hpp"

namespace nearfar {

/// The moment of a block on a stream, always summed in the same order;
/// returns at once. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_moment(MomentLaunch<T> launch, void* stream);

/// Adds some blocks' moments to those of the blocks before, and after the last multiplies by the factor.
void launch_moment_sum(MomentSumLoop const& sum, void* stream);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/launch_list.hpp"
#include "codelets/points/moment/moment.hpp"

#include <cstdint>

namespace nearfar {

/// Pointers of a Moment task.
template <class T>
struct MomentLaunch {
  T const* position = nullptr;
  std::int32_t const* points = nullptr;  ///< how many there are
  EitherPrecision dipole;                ///< q, and n after it
  std::int64_t stride = 0;
  double* out = nullptr;
};

/// The moment of a block on a stream, always summed in the same order;
/// returns at once. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_moment(MomentLaunch<T> const& launch, void* stream);

/// Adds some blocks' moments to those of the blocks before, and after the last multiplies by the factor.
void launch_moment_sum(LaunchList<double const*> const& moments, int blocks, double factor, double* out, void* stream);

}  // namespace nearfar

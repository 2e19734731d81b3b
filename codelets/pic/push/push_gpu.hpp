// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_check.hpp"
#include "codelets/pic/push/push_body.hpp"

namespace nearfar {

/// `axis` of a BadNumber that stands for a step before which has failed.
inline constexpr int stale_axis = -1;

/// Pushes a block on a stream, if its clock is at the step before; returns at once. Else, and where a particle goes too
/// far, the clock breaks, and `bad` is told: the particle, its axis as the exponent, where it would be, and its
/// velocity. Throws std::runtime_error when a launch is refused.
template <class T>
void launch_push(PushBody<T> const& body, PushArgs const& args, std::int64_t* clock, BadNumber* bad, void* stream);

/// Ends the step of a block, if the clock has not broken.
template <class T>
void launch_kick(PushBody<T> const& body, KickArgs const& args, std::int64_t* clock, void* stream);

}  // namespace nearfar

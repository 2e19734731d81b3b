// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "codelets/pic/push/push_body.hpp"

namespace nearfar {

/// `axis` of a BadNumber that means that an earlier step has failed.
inline constexpr int stale_axis = -1;

/// Pushes a block on a stream if its clock is at the step before; returns at once. Otherwise, and
/// if a particle moves too far, the clock breaks, and `bad` receives the particle, its axis as the
/// exponent, where it would be, and its velocity. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_push(PushBody<T> const& body, PushArgs const& args, std::int64_t* clock, BadNumber* bad, void* stream);

/// Ends the step of a block unless the clock has broken.
template <class T>
void launch_kick(PushBody<T> const& body, KickArgs const& args, std::int64_t* clock, void* stream);

}  // namespace nearfar

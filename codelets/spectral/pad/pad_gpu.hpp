// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_check.hpp"
#include "codelets/spectral/pad/pad_body.hpp"

namespace nearfar {

/// The cells of a slab on a stream; returns at once. The first density that is not finite, by its place in the caller's
/// array, is left in `bad`. Throws std::runtime_error when a launch is refused.
template <class T>
void launch_pad(PadBody<T> const& body, BadNumber* bad, void* stream);

/// And back.
template <class T>
void launch_restrict(RestrictBody<T> const& body, void* stream);

}  // namespace nearfar

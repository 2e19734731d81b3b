// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "codelets/spectral/pad/pad_body.hpp"

namespace nearfar {

/// Copies the cells of a slab on a stream; returns at once. `bad` receives the first density that is
/// not finite, by its index in the caller's array. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_pad(PadBody<T> const& body, BadNumber* bad, void* stream);

/// The reverse; `bad` receives the first cell with a result that is not finite.
template <class T>
void launch_restrict(RestrictBody<T> const& body, BadNumber* bad, void* stream);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/gather/gather_body.hpp"

namespace nearfar {

/// The field at the particles of a block on a stream; returns
/// at once. Throws std::runtime_error if the launch is refused.
template <class T>
void launch_gather(GatherBody<T> const& body, void* stream);

}  // namespace nearfar

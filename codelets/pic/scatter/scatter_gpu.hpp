// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/scatter/scatter_body.hpp"

namespace nearfar {

/// The density of a slab from the blocks on a list, on a stream;
/// returns at once. Throws std::runtime_error if the launch is refused.
template <class T>
void launch_scatter(ScatterBody<T> const& body, void* stream);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/ghost/ghost.hpp"

namespace nearfar {

/// Copies planes of a slab to packed ones on a stream, or back; returns at once. Throws std::runtime_error if a launch
/// is refused.
template <class T>
void launch_pack_planes(GhostArgs const& args, T const* slab, T* packed, void* stream);
template <class T>
void launch_put_planes(GhostArgs const& args, T const* packed, T* slab, void* stream);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/ghost/ghost.hpp"

namespace nearfar {

/// Copies rows of an array to packed ones on a stream, or back; returns at once. Throws std::runtime_error if a launch
/// is refused.
template <class T>
void launch_pack_rows(GhostArgs const& args, T const* array, T* packed, void* stream);
template <class T>
void launch_put_rows(GhostArgs const& args, T const* packed, T* array, void* stream);

}  // namespace nearfar

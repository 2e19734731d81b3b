// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/p2g/p2g_buffers.hpp"

namespace nearfar {

/// Spreading with SIMD lanes holding grid points along z, compiled once per instruction set (Tag of
/// codelets/common/simd/simd.hpp).
template <class Tag, Spreading S, class T>
void p2g_simd(P2GBuffers<T> const& buffers, P2GArgs const& args);

}  // namespace nearfar

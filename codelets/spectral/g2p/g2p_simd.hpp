// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/g2p/g2p_buffers.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

/// Gathering with SIMD lanes holding grid points along z, compiled once per instruction set (Tag of
/// codelets/common/simd/simd.hpp).
template <class Tag, class T, class Gather>
void g2p_simd(G2PBuffers<T> const& buffers, G2PArgs const& args);

}  // namespace nearfar

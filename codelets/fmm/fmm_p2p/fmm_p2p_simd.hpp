// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_body.hpp"

namespace nearfar {

/// The near field with SIMD lanes holding targets, compiled once per instruction set (Tag of codelets/common/simd.hpp).
template <class Tag, class T, Kernel K, bool Gradient>
void fmm_p2p_simd(FmmP2PBuffers<T> const& buffers, FmmP2PArgs const& args);

}  // namespace nearfar

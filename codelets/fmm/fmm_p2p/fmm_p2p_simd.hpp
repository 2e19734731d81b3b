// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/split_points.hpp"

namespace nearfar {

/// The near field with SIMD lanes holding targets, compiled once per instruction set (Tag of
/// codelets/common/simd/simd.hpp). Pairs have precision A; if that is not T, `space` has room for them.
template <class Tag, class T, class K, class A>
void fmm_p2p_simd(FmmP2PBuffers<T> const& buffers, FmmP2PArgs const& args, SplitSpace<T, A> const& space);

}  // namespace nearfar

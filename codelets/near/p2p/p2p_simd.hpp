// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p_buffers.hpp"

namespace nearfar {

/// The near field with SIMD lanes holding pairs of a few targets and a few sources, compiled once per instruction set
/// (Tag of codelets/common/simd/simd.hpp).
template <class Tag, class T, class K, class A>
void p2p_simd(P2PBuffers<T, A> const& buffers, P2PArgs const& args, MutualView<T, A> const* views);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/images/images_buffers.hpp"

namespace nearfar {

/// The same with SIMD lanes holding the sources within the cutoff of one target, compiled once per instruction set (Tag
/// of codelets/common/simd/simd.hpp).
template <class Tag, class T, class K, class A>
void images_simd(ImagesBuffers<T, A> const& buffers, P2PArgs const& args);

}  // namespace nearfar

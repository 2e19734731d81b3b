// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"

namespace nearfar {

/// The bodies with SIMD lanes holding points, compiled once per instruction set (Tag of codelets/common/simd/simd.hpp).
template <class Tag, class T, class E>
void l2p_simd(Buffers const& buffers, L2PArgs const& args);
template <class Tag, class T, class E>
void m2p_simd(Buffers const& buffers, M2PArgs const& args);

}  // namespace nearfar

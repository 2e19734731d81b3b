// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm_args.hpp"
#include "codelets/stage.hpp"

namespace nearfar {

/// The bodies with SIMD lanes holding points, compiled once per instruction set (Tag of codelets/simd.hpp).
template <class Tag, class T, Kernel K, bool Gradient>
void l2p_simd(Buffers const& buffers, L2PArgs const& args);
template <class Tag, class T, Kernel K, bool Gradient>
void m2p_simd(Buffers const& buffers, M2PArgs const& args);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/fmm/fmm_args.hpp"

namespace nearfar {

/// The bodies with SIMD lanes holding points, compiled once per instruction set (Tag of codelets/common/simd/simd.hpp).
template <class Tag, class T, class Sums>
void p2m_simd(Buffers const& buffers, P2MArgs const& args);
template <class Tag, class T, class Sums>
void p2l_simd(Buffers const& buffers, P2LArgs const& args);

}  // namespace nearfar

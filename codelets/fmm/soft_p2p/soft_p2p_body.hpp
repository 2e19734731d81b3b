// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_body.hpp"
#include "codelets/fmm/soft_p2p/soft_p2p.hpp"
#include "core/kernels/pairs/softened.hpp"

namespace nearfar {

/// Sums at the targets first .. last of leaf i, no more than V has lanes.
template <class V, class K, class T>
NEARFAR_FUNCTION void soft_sums(FmmP2PBuffers<T> const& b, SoftP2PArgs const& args, int i, int first, int last) {
  SoftInverse<Lanes<V>> const inverse{T(args.softening_squared)};
  pair_sums<V, 1, K>(
      b, args.pairs, i, first, last, false, [](PointRun const& run) { return run; }, inverse);
}

/// soft_sums of all leaves, compiled once per instruction set (Tag of codelets/common/simd/simd.hpp).
template <class Tag, class T, class K>
void soft_p2p_simd(FmmP2PBuffers<T> const& buffers, SoftP2PArgs const& args);

}  // namespace nearfar

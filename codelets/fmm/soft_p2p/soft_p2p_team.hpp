// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_team.hpp"
#include "core/kernels/pairs/softened.hpp"

namespace nearfar {

/// What the GPU threads of a block do for one piece of a leaf, with softened pairs.
template <class K, class T>
using SoftP2PTeam = FmmP2PTeam<K, T, SoftInverse<ThreadLanes<T>>>;

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/g2p/g2p_team.hpp"

namespace nearfar {

/// Gathers from `slabs` to the targets, or adds unless they are the first of the task, on a stream
/// (cudaStream_t or hipStream_t); returns at once. Throws std::runtime_error if the launch is refused.
template <class Gather, class T>
void launch_g2p(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream);

/// The same by a thread for each target (g2p_target.hpp): what narrow windows take, and Kokkos.
template <class Gather, class T>
void launch_g2p_by_targets(G2PLaunch<T> const& launch, LaunchList<T const*> const& slabs, void* stream);

/// In skewed cells, after all launches: derivatives along the rows of the cell become those along the axes.
template <class Gather, class T>
void launch_turn_gathered(G2PLaunch<T> const& launch, void* stream);

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/p2g/p2g_team.hpp"

namespace nearfar {

/// Spreads the points of `sources` to a slab, or adds them unless they are the first of the task, on a stream
/// (cudaStream_t or hipStream_t); returns at once. Throws std::runtime_error if the launch is refused.
template <Spreading S, class T>
void launch_p2g(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);

/// The same in other ways (codelets/laboratory/stages/p2g_ways.hpp): a thread for each source, one for each node of the
/// grid, a GPU block for each cell.
template <Spreading S, class T>
void launch_p2g_by_sources(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);
template <Spreading S, class T>
void launch_p2g_by_nodes(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);
template <Spreading S, class T>
void launch_p2g_by_cells(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);

}  // namespace nearfar

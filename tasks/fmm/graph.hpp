// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm/job.hpp"
#include "tasks/fmm/stages.hpp"

namespace nearfar::detail {

/// Inserts the tasks of one solve: largest -> units -> bin -> p2m -> m2m -> (lattice) -> m2l -> p2l -> l2l -> l2p
/// beside leaf_p2p and m2p, then merge; in a periodic cell also bin -> dipole -> dipoles -> cell -> merge.
template <class T>
void build_fmm_graph(Graph& graph, FmmJob<T> const& job, FmmStages const& stages);

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/graph.hpp"
#include "tasks/ewald/job.hpp"

namespace nearfar::detail {

/// Inserts the tasks of one Ewald solve: largest -> units -> bin -> {p2p -> reduce} || {p2g -> fft -> scale -> ifft ->
/// g2p} -> merge; for a double layer's zero mode also bin -> moment -> moments -> merge; for an energy {p2p, g2p} ->
/// energy -> energies. Several vectors of strengths have all of these each, but for the units and, where their pairs
/// are summed together, p2p and reduce.
template <class T>
void build_ewald_graph(Graph& graph, std::vector<EwaldJob<T>> const& vectors);

}  // namespace nearfar::detail

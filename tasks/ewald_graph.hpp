// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/ewald_plan.hpp"
#include "tasks/graph.hpp"

namespace nearfar::detail {

/// What a P2P task finds for the points of another block (core/reaction.hpp).
struct Reaction {
  int block;
  Data rows;
};

/// What one solve works on, beside what its plan shares.
template <class T>
struct EwaldJob {
  EwaldSetup<T> const& setup;
  Lane const& lane;
  PointSet<T> const& points;
  Part part;
  bool near_first;                               ///< P2P is submitted before the far part
  Data strengths;                                ///< the caller's
  Data result;                                   ///< the caller's
  std::vector<Data> strength_block;              ///< per block
  std::vector<Data> record;                      ///< per block: positions and strengths
  std::vector<Data> near, far;                   ///< per share of targets
  std::vector<std::vector<Reaction>> reactions;  ///< per share of targets; none where each task sums all its pairs
  std::vector<Data> moment;                      ///< per block, where the far part has a zero mode
  Data moments;                                  ///< their sum
};

/// Submits the graph of one Ewald solve: bin -> {p2p -> collect} || {p2g -> fft -> scale -> ifft -> g2p} ->
/// merge; for a double
/// layer's zero mode also bin -> moment -> moments -> merge.
template <class T, Kernel K, bool Gradient>
void build_ewald_graph(Graph& graph, EwaldJob<T>& job);

}  // namespace nearfar::detail

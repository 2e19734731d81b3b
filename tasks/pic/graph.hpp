// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/pic_grid.hpp"
#include "core/pic/motion.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/pic/particles.hpp"
#include "tasks/spectral/transform.hpp"

#include <optional>
#include <vector>

namespace nearfar::detail {

/// Everything a step touches.
template <class T>
struct PicJob {
  PicGrid const& grid;
  Motion const& motion;
  PicParticles<T> const& particles;
  SpectralTransform<T> const& transform;
  Handle table;  ///< of the Green's function
  Tiles const& tiles;
  std::vector<Handle> density, field, potential;  ///< slabs
  /// What the particles of each rank give to the slabs of the density; of one rank, these themselves.
  std::vector<std::vector<Handle>> shares;

  /// Of several ranks; of one, everywhere.
  int owner(int rank) const { return shares.size() > 1 ? rank : everywhere; }
};

/// sort -> scatter -> fft -> Green's function and slope -> ifft -> gather: the field at the particles, wherever they
/// are. Each of several ranks scatters its particles to all slabs, whose owners add up what comes.
template <class T>
void build_field_graph(Graph& graph, PicJob<T> const& job);

/// The field, and nothing else: what the first step begins with. `step`: those that were taken before.
template <class T>
void build_begin_graph(Graph& graph, PicJob<T> const& job, std::int64_t step);

/// Fails where a solve before has, as steps do by themselves.
template <class T>
void build_clock_graph(Graph& graph, PicJob<T> const& job, std::int64_t step);

/// push -> field -> kick.
template <class T>
void build_step_graph(Graph& graph, PicJob<T> const& job, std::int64_t step);

/// The potential of the density as it is.
template <class T>
void build_potential_graph(Graph& graph, PicJob<T> const& job);

/// measure -> tally on each of these ranks, once there is the potential.
template <class T>
void build_totals_graph(Graph& graph, PicJob<T> const& job, double time, double cell_volume,
                        std::vector<int> const& ranks, ResultRows const& totals);

/// Blocks that so many particles are cut into: for CPU workers, or one for each GPU if there are any.
int pic_blocks(std::size_t particles, int workers, int gpus);

}  // namespace nearfar::detail

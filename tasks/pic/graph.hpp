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

/// The data of a step.
template <class T>
struct PicJob {
  PicGrid const& grid;
  Motion const& motion;
  PicParticles<T> const& particles;
  SpectralTransform<T> const& transform;
  Handle table;  ///< of the Green's function
  Tiles const& tiles;
  std::vector<Handle> density, field, potential;  ///< slabs
  /// The contributions of each rank's particles to the slabs of the density; with one rank, the slabs themselves.
  std::vector<std::vector<Handle>> shares;

  /// The rank as an owner; `everywhere` if it is the only one.
  int owner(int rank) const { return shares.size() > 1 ? rank : everywhere; }
};

/// Inserts sort -> scatter -> fft -> Green's function and slope -> ifft -> gather: the field at the particles, wherever
/// they are. With several ranks, each scatters its particles to all slabs, whose owners add up the contributions.
template <class T>
void build_field_graph(Graph& graph, PicJob<T> const& job);

/// Inserts only the field, with which the first step begins. `step`: number of steps taken before.
template <class T>
void build_begin_graph(Graph& graph, PicJob<T> const& job, std::int64_t step);

/// Fails if an earlier solve has failed, as steps do by themselves.
template <class T>
void build_clock_graph(Graph& graph, PicJob<T> const& job, std::int64_t step);

/// push -> field -> kick.
template <class T>
void build_step_graph(Graph& graph, PicJob<T> const& job, std::int64_t step);

/// Inserts the potential of the present density.
template <class T>
void build_potential_graph(Graph& graph, PicJob<T> const& job);

/// Inserts measure -> tally on each of these ranks, after the potential.
template <class T>
void build_totals_graph(Graph& graph, PicJob<T> const& job, double time, double cell_volume,
                        std::vector<int> const& ranks, ResultRows const& totals);

/// Number of blocks for so many particles: for CPU workers, or one for each GPU if there are any.
int pic_blocks(std::size_t particles, int workers, int gpus);

}  // namespace nearfar::detail

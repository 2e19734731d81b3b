// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/poisson/green.hpp"
#include "core/poisson/options.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/poisson/plan.hpp"
#include "tasks/spectral/transform.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nearfar::detail {

/// The arrays of a rank that gets results: of the cells [begin, end) of the caller's grid.
struct PoissonResults {
  int rank;
  std::int64_t begin, end;
  std::unique_ptr<ResultRows> potential, field;  ///< no field: it is not wanted
};

/// The data of one solve.
template <class T>
struct PoissonJob {
  PoissonGrid const& grid;
  SpectralTransform<T> const& transform;
  PoissonSpace& space;
  Handle table;
  SolveData density;
  std::vector<PoissonResults> results;  ///< of all ranks that get any
  bool field;
  bool on_gpus;  ///< all stages
};

/// pad -> fft -> multiply by the Green's function -> ifft -> restrict.
template <class T>
void build_poisson_graph(Graph& graph, PoissonJob<T> const& job);

/// What the tasks that make a Green's function read and work in; it outlives them.
struct GreenSetup {
  explicit GreenSetup(GreenFunction const& green);

  std::vector<SharedTerms> shared;
  Data terms;  ///< over `shared`
  Data work;   ///< green_scratch doubles
};

/// Inserts tasks that fill the table of multipliers at `memory`; on a GPU, which keeps the table, one per stage.
template <class T>
void build_green_graph(Graph& graph, GreenFunction const& green, GreenSetup const& setup, Arena<T> const& memory,
                       Handle table, bool on_gpu);

/// A layout for a grid, cut for so many CPU workers; or for GPUs, if there are
/// any, into a slab for each. `components`: the most that are transformed at once.
SpectralLayout poisson_layout(PoissonGrid const& grid, int components, int workers, int gpus = 0);

/// Bytes needed for making a Green's function, beside its table.
std::size_t green_setup_bytes(GreenFunction const& green, int workers);

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/axes.hpp"
#include "core/cells.hpp"
#include "core/clumping.hpp"
#include "core/grid.hpp"
#include "core/machine_shape.hpp"
#include "tasks/arena.hpp"
#include "tasks/data.hpp"
#include "tasks/graph.hpp"
#include "tasks/point_set.hpp"
#include "tasks/runtime_state.hpp"
#include "tasks/turns.hpp"

#include "codelets/tables.hpp"

#include <nearfar/ewald.hpp>

#include <array>
#include <mutex>
#include <optional>
#include <vector>

namespace nearfar::detail {

/// The grid of one solve: slabs, and a tile for each slab and group of columns. Solves take turns; what a solve finds
/// in it is overwritten, and StarPU orders those that share one.
struct Lane {
  std::vector<Data> slabs;
  std::vector<Data> tiles;  ///< [slab][group]
  int groups = 0;

  Handle slab(int s) const { return slabs[std::size_t(s)]; }
  Handle tile(int slab, int group) const { return tiles[std::size_t(slab * groups + group)]; }
};

/// What follows from the parameters, made once: geometry, tables, and the handles that solves share.
template <class T>
struct EwaldSetup {
  EwaldSetup(EwaldOptions const& options, EwaldParameters const& parameters);

  EwaldParameters parameters;
  std::array<double, 3> box;
  Cells cells;
  Grid grid;
  Axes axes;
  int strengths;         ///< per source
  int forward, inverse;  ///< components on the grid, to Fourier space and back
  bool zero_face_flux;   ///< the far part has a field of mode k = 0
  Arena<EwaldTables<T>> table_memory;
  Arena<T> multiplier_memory;
  Data tables;
  Data multipliers;  ///< of modes (codelets/scale/multipliers.hpp)
  Data plane_scratch;
  Data column_scratch;

  Lane& lane_for(std::shared_ptr<SolveState const> const& solve);

 private:
  Turns<Lane> lanes_;
};

/// The implementation of BasicEwald.
template <class T>
class EwaldPlan : public std::enable_shared_from_this<EwaldPlan<T>> {
 public:
  EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options);
  /// With parameters that are already chosen.
  EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options, EwaldParameters const& parameters);
  ~EwaldPlan() { awake_.begin(runtime_); }

  std::shared_ptr<PointSet<T>> set_points(std::span<T const> sources, std::span<T const> targets, bool same);
  Solve submit(std::shared_ptr<PointSet<T>> const& points, std::span<T const> strengths, std::span<T> result, Part part,
               std::optional<Trial> const& trial = {});

  EwaldOptions const& options() const noexcept { return options_; }
  EwaldParameters parameters() const;
  EwaldSetup<T> const& setup() const { return *setup_; }

 private:
  void prepare(EwaldOptions const& options, std::size_t sources, std::size_t targets, Clumping const& clumping);

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  EwaldOptions options_;
  MachineShape machine_;
  mutable std::mutex mutex_;  // tasks of one plan are submitted by one thread at a time
  std::shared_ptr<EwaldSetup<T>> setup_;
};

}  // namespace nearfar::detail

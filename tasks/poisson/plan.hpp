// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/poisson/options.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/engine/workspaces.hpp"
#include "tasks/nodes/parts.hpp"
#include "tasks/spectral/transform.hpp"

#include <nearfar/poisson.hpp>

#include <array>
#include <mutex>
#include <vector>

namespace nearfar::detail {

/// The work space of one solve in flight.
struct PoissonSpace {
  std::vector<Data> slabs;
  Tiles tiles;

  std::vector<Handle> slab_handles() const { return {slabs.begin(), slabs.end()}; }
};

/// The implementation of BasicPoisson.
template <class T>
class PoissonPlan : public std::enable_shared_from_this<PoissonPlan<T>> {
 public:
  PoissonPlan(std::shared_ptr<RuntimeState> runtime, PoissonOptions const& options);
  ~PoissonPlan() { awake_.begin(runtime_); }

  Solve submit(std::span<T const> density, std::span<T> potential, std::span<T> field,
               std::optional<Stream> const& after);
  void set_spacing(std::array<double, 3> const& spacing);

  PoissonParameters parameters() const;
  PoissonOptions options() const;
  std::size_t cells() const noexcept { return cells_; }
  std::array<int, 2> planes() const noexcept { return planes_; }
  SolveReport green_report();

  /// For loops around solves, which make their own transforms.
  PoissonGrid const& grid() const noexcept { return grid_; }
  Handle table() const noexcept { return table_; }
  /// GPUs that solve; 0: CPUs do.
  int gpus() const noexcept { return gpus_; }
  /// The solve that makes the Green's function: its failure is that of all solves that read it.
  std::shared_ptr<SolveState const> green() const noexcept { return green_; }

 private:
  /// Where the caller's arrays are.
  struct Homes {
    Home density, potential, field;
  };
  Homes homes_of(std::span<T const> density, std::span<T> potential, std::span<T> field) const;
  void make_green();
  void expect_green() const;  ///< throws Error{no_resource} if it could not be made

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  Ranks const& ranks_;
  int workers_;  ///< CPU workers of all ranks
  PoissonOptions options_;
  Parts parts_;                ///< cells that each rank gives and gets
  std::size_t cells_;          ///< of the grid, or of this rank's planes
  std::array<int, 2> planes_;  ///< this rank's
  PoissonGrid grid_;
  int gpus_;                      ///< that solve; none: CPUs do
  PoissonParameters parameters_;  // before what takes memory
  SpectralTransform<T> transform_;
  Arena<T> table_memory_;
  Data table_;  ///< a ModeTable
  Workspaces<PoissonSpace> spaces_;
  mutable std::mutex mutex_;                 // tasks of one plan are submitted by one thread at a time
  std::vector<Solve> greens_;                ///< in the making, the latest one last; they end first
  std::shared_ptr<SolveState const> green_;  ///< that of the latest one; all solves fail with it; null: it is made
};

}  // namespace nearfar::detail

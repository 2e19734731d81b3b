// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/pic/options.hpp"
#include "tasks/pic/graph.hpp"
#include "tasks/poisson/plan.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace nearfar::detail {

/// The implementation of BasicPic.
template <class T>
class PicPlan : public std::enable_shared_from_this<PicPlan<T>> {
 public:
  PicPlan(std::shared_ptr<RuntimeState> runtime, PicOptions const& options, std::span<T const> positions,
          std::span<T const> velocities, std::span<T const> charges, std::int64_t step);
  ~PicPlan() { awake_.begin(runtime_); }

  Solve advance(int steps);
  Solve read(PicRead<T> const& into);

  std::int64_t step() const;
  /// That this rank gave.
  std::size_t particles() const noexcept { return given_.of(ranks_.rank()); }
  PicOptions const& options() const noexcept { return options_; }
  bool on_gpus() const noexcept { return gpus_ > 0; }

 private:
  int owner(int rank) const noexcept { return ranks_.several() ? rank : everywhere; }
  PicJob<T> job() const;
  template <class Build>
  Solve submit(Build const& build);
  void expect_lengths(PicRead<T> const& into) const;
  void insert_restrict(Graph& graph, std::span<T> cells, std::vector<int> const& takers,
                       std::vector<Handle> const& slabs) const;
  void insert_unload(Graph& graph, std::span<T> rows, std::vector<int> const& takers, bool velocities) const;

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  Ranks const& ranks_;
  PicOptions options_;
  Parts given_, shares_;  ///< particles that ranks give, and that they keep
  std::shared_ptr<PoissonPlan<T>> poisson_;
  int gpus_;  ///< on which all stages run; 0: on CPUs
  SpectralTransform<T> transform_;
  PicGrid grid_;
  Motion motion_;
  PicParticles<T> particles_;
  Tiles tiles_;  // one set: steps follow each other
  std::vector<Data> density_, field_, potential_;
  std::vector<std::vector<Data>> parts_;  ///< of the density, from the particles of each of several ranks
  mutable std::mutex mutex_;              // tasks of one loop are submitted by one thread at a time
  std::int64_t step_;
  bool begun_ = false;  ///< the field at the first positions has been submitted
  /// With several ranks: the last solve, whose failure on one of them other ranks' blocks do not show. Kept alive here.
  std::weak_ptr<SolveState const> before_;
};

}  // namespace nearfar::detail

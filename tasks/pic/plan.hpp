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
  std::size_t particles() const noexcept { return particles_.count(); }
  PicOptions const& options() const noexcept { return options_; }
  bool on_gpus() const noexcept { return gpus_ > 0; }

 private:
  PicJob<T> job() const;
  template <class Build>
  Solve submit(Build const& build);
  void expect_lengths(PicRead<T> const& into) const;

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  PicOptions options_;
  std::shared_ptr<PoissonPlan<T>> poisson_;
  int gpus_;  ///< that all stages run on; none: CPUs do
  SpectralTransform<T> transform_;
  PicGrid grid_;
  Motion motion_;
  PicParticles<T> particles_;
  Tiles tiles_;  // one set: steps follow each other
  std::vector<Data> density_, field_, potential_;
  mutable std::mutex mutex_;  // tasks of one loop are submitted by one thread at a time
  std::int64_t step_;
  bool begun_ = false;  ///< the field at the first positions is submitted
};

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald_plan.hpp"

#include "codelets/moment/moment.hpp"
#include "core/near_record.hpp"
#include "core/options.hpp"
#include "core/parameters.hpp"
#include "core/reaction.hpp"
#include "tasks/ewald_graph.hpp"
#include "tasks/ewald_prediction.hpp"
#include "tasks/expect.hpp"
#include "tasks/extent.hpp"
#include "tasks/machine_shape.hpp"
#include "tasks/memory.hpp"
#include "tasks/rates.hpp"

#include <nearfar/error.hpp>

#include <algorithm>

namespace nearfar::detail {

namespace {

template <class T>
std::vector<Data> block_data(char const* name, BlockedPoints<T> const& points, int blocks, int components) {
  std::vector<Data> data;
  for (int b = 0; b < blocks; ++b) data.push_back(Data::temporary<T>(name, points.stride(b) * components));
  return data;
}

/// None where the solve does not have that part.
template <class T>
std::vector<Data> share_data(char const* name, bool there, PointSet<T> const& points, int components) {
  std::vector<Data> data;
  if (!there) return data;
  for (TargetShare const& share : points.shares())
    data.push_back(Data::temporary<T>(name, BlockedPoints<T>::stride_for(share.points.count()) * components));
  return data;
}

template <class T>
std::vector<std::vector<Reaction>> reaction_data(Cells const& cells, PointSet<T> const& points, int row) {
  std::vector<std::vector<Reaction>> reactions;
  for (TargetShare const& share : points.shares()) {
    Block const block = block_at(cells, share.block);
    Neighbours const around = neighbours(cells, block);
    auto& found = reactions.emplace_back();
    for (int n = 0; n < around.count(); ++n) {
      int const other = around.block(cells, n);
      if (sums_for_both(cells, block, block_at(cells, other)))
        found.push_back({other, Data::temporary<T>("reaction", points.targets().stride(other) * row)});
    }
  }
  return reactions;
}

template <class T>
void build(Graph& graph, EwaldJob<T>& job, EwaldOptions const& options) {
  switch (options.kernel) {
    case Kernel::stokeslet: return build_ewald_graph<T, Kernel::stokeslet, false>(graph, job);
    case Kernel::stresslet: return build_ewald_graph<T, Kernel::stresslet, false>(graph, job);
    case Kernel::stokes: return build_ewald_graph<T, Kernel::stokes, false>(graph, job);
    case Kernel::laplace:
      return options.gradient ? build_ewald_graph<T, Kernel::laplace, true>(graph, job)
                              : build_ewald_graph<T, Kernel::laplace, false>(graph, job);
  }
}

}  // namespace

template <class T>
EwaldPlan<T>::EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options)
    : runtime_(std::move(runtime)), options_(options), machine_(machine_shape<T>(runtime_, options)) {
  check_options<T>(options_);
  if (options.count > 0 && !has_open_edges(options)) prepare(options, options.count, options.count, {});
}

template <class T>
EwaldPlan<T>::EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options,
                        EwaldParameters const& parameters)
    : runtime_(std::move(runtime)), options_(options), machine_(cpus_alone()) {
  setup_ = std::make_shared<EwaldSetup<T>>(options_, parameters);
}

template <class T>
void EwaldPlan<T>::prepare(EwaldOptions const& options, std::size_t sources, std::size_t targets,
                           Clumping const& clumping) {
  EwaldParameters const p =
      choose_parameters<T>(options, sources, targets, measured_rates<T>(runtime_), clumping, machine_);
  expect_memory(p.bytes);
  setup_ = std::make_shared<EwaldSetup<T>>(options, p);
}

template <class T>
EwaldParameters EwaldPlan<T>::parameters() const {
  std::lock_guard const lock(mutex_);
  if (!setup_)
    throw Error(
        Fault::bad_input,
        "the plan has no parameters yet (they depend on how many points there are); set EwaldOptions::count, or "
        "call set_points first");
  return setup_->parameters;
}

template <class T>
std::shared_ptr<PointSet<T>> EwaldPlan<T>::set_points(std::span<T const> sources, std::span<T const> targets,
                                                      bool same) {
  expect_points("sources", sources.size());
  if (!same) expect_points("targets", targets.size());
  std::size_t const m = sources.size() / 3, n = same ? m : targets.size() / 3;
  std::unique_lock lock(mutex_);
  auto const extent = has_open_edges(options_) ? extent_of(sources, targets) : Extent{};
  if (!setup_ || !extent.fits(options_, setup_->box)) {
    EwaldOptions options = options_;
    options.box = extent.box_for(options_, setup_ ? &setup_->box : nullptr);
    std::size_t const count = options_.count;
    Clumping const clumping(options.box, extent.origin(options_), sources, same ? sources : targets);
    prepare(options, count > 0 ? count : m, count > 0 ? count : n, clumping);
  }
  auto const setup = setup_;
  lock.unlock();
  Frame const frame{setup->cells, setup->axes, inside(setup->axes, extent.origin(options_))};
  return std::make_shared<PointSet<T>>(runtime_, this, setup, frame, sources, targets, same, setup->zero_face_flux);
}

template <class T>
Solve EwaldPlan<T>::submit(std::shared_ptr<PointSet<T>> const& points, std::span<T const> strengths,
                           std::span<T> result, Part part, std::optional<Trial> const& trial) {
  if (!points || !points->belongs_to(this))
    throw Error(Fault::bad_input,
                "these points belong to another plan (their blocks do not fit this one); use set_points of this plan");
  expect_rows("strengths", strengths.size(), points->sources().size(), strength_components(options_.kernel));
  expect_rows("result", result.size(), points->targets().size(), result_components(options_.kernel, options_.gradient));

  std::lock_guard const lock(mutex_);
  auto state = std::make_shared<SolveState>(runtime_,
                                            std::vector<std::shared_ptr<void const>>{this->shared_from_this(), points});
  EwaldSetup<T>& setup = points->setup();
  int const blocks = setup.cells.block_count();
  int const results = result_components(options_.kernel, options_.gradient);
  EwaldJob<T> job{setup,
                  setup.lane_for(state),
                  *points,
                  part,
                  machine_.gpus > 0,
                  Data::over("strengths", strengths.data(), std::int64_t(strengths.size())),
                  Data::over("result", result.data(), std::int64_t(result.size())),
                  block_data("strengths of block", points->sources(), blocks, setup.strengths),
                  block_data("records", points->sources(), blocks, record_width(setup.strengths)),
                  share_data("near", part != Part::far, *points, result_row(results)),
                  share_data("far", part != Part::near, *points, results),
                  {},
                  {},
                  {}};
  if (part != Part::far && points->same() && machine_.mutual_blocks)
    job.reactions = reaction_data(setup.cells, *points, result_row(results));
  if (setup.zero_face_flux && part != Part::near) {
    for (int b = 0; b < blocks; ++b) job.moment.push_back(Data::temporary<double>("moment", moment_size));
    job.moments = Data::temporary<double>("moments", moment_size);
  }
  state->predict(predicted_seconds(machine_, setup, *points, part));
  Graph graph(*state, options_.implementation, trial);
  Solve solve(state);
  try {
    build(graph, job, options_);
  } catch (...) {
    // The tasks that are already submitted return at once; the caller gets this error from submit.
    state->errors().store("submit", 0, "none", std::current_exception());
    state->close();
    throw;
  }
  job.strengths.release_after_use();
  job.result.release_after_use();
  job.moments.release_after_use();
  for (auto* list : {&job.strength_block, &job.record, &job.near, &job.far, &job.moment})
    for (Data& data : *list) data.release_after_use();
  for (auto& list : job.reactions)
    for (Reaction& r : list) r.rows.release_after_use();
  state->close();
  return solve;
}

template class EwaldPlan<double>;
template class EwaldPlan<float>;

}  // namespace nearfar::detail

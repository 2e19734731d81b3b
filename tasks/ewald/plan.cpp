// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/plan.hpp"

#include "codelets/points/merge/merge.hpp"
#include "codelets/points/moment/moment.hpp"
#include "core/ewald/options.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/geometry/near_frame.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/plan/ewald/error/in_step.hpp"
#include "core/plan/ewald/error/weak_field.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/sample.hpp"
#include "core/plan/ewald/work.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/ewald/block_owners.hpp"
#include "tasks/ewald/graph.hpp"
#include "tasks/ewald/influence.hpp"
#include "tasks/ewald/prediction.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/points/extent.hpp"
#include "tasks/points/views/kept_pairs.hpp"
#include "tasks/points/views/rounded_pairs.hpp"
#include "tasks/points/worker_loop.hpp"
#include "tasks/tune/machine.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <utility>

namespace nearfar::detail {

namespace {

/// A chain has all of its data in memory at once, which blocks are for avoiding.
template <class T>
bool is_one_block(PointSet<T> const& points) {
  auto const& setup = points.setup();
  return setup.cells.block_count() == 1 && points.chunks().size() == 1 && setup.grid.layout.slabs == 1;
}

std::array<double, 3> in_our_unit(LengthUnit const& unit, std::array<double, 3> lengths) {
  for (double& length : lengths) length = unit.ours(length);
  return lengths;
}

template <class T>
NearPairs near_pairs(EwaldSetup<T> const& setup) {
  EwaldOptions const ours = detail::in_our_unit(setup.unit, setup.options);
  NearPairs near{CellLattice::of(rows_of(ours)),
                 {},
                 setup.unit.ours(setup.parameters.cutoff),
                 setup.unit,
                 power_of(ours.kernel, ours.outputs)};
  for (std::size_t d = 0; d < 3; ++d) near.periodic[d] = is_periodic(ours.periodicity, int(d));
  return near;
}

/// The places along the rows of a skewed cell of some of the points, no more than are looked at.
template <class T>
std::vector<T> along_rows(EwaldOptions const& options, std::span<T const> points) {
  LengthUnit const unit = unit_of(options.box);
  CellLattice const lattice = CellLattice::of(rows_of(detail::in_our_unit(unit, options)));
  std::size_t const all = points.size() / 3, count = std::min(all, Clustering::max_samples);
  std::vector<T> along(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    T const* const row = &points[3 * sampled(i, count, all)];
    double const x[3] = {unit.ours(double(row[0])), unit.ours(double(row[1])), unit.ours(double(row[2]))};
    for (std::size_t d = 0; d < 3; ++d)
      along[3 * i + d] =
          is_periodic(options.periodicity, int(d)) ? T(options.box[d] * lattice.fraction(int(d), x)) : row[d];
  }
  return along;
}

/// The frame of a box whose corner is `origin`, in our unit and along the caller's axes.
template <class T>
Frame frame_of(EwaldSetup<T> const& setup, std::array<double, 3> const& origin) {
  Frame frame{setup.cells, setup.axes, inside(setup.axes, origin), setup.unit};
  for (std::size_t d = 0; d < 3; ++d)
    if (frame.cells.periodic[d]) frame.origin[d] = first_face(frame.cells, int(d));
    else frame.near_origin[d] = near_origin(frame.origin[d], frame.origin[d] + frame.cells.edge[d]);
  std::copy_n(&setup.grid.layout.slant[0][0], 9, &frame.along[0][0]);
  take_in_ends<T>(frame.cells);
  return frame;
}

}  // namespace

template <class T>
EwaldPlan<T>::EwaldPlan(std::shared_ptr<RuntimeState> runtime, Ranks const& ranks, EwaldOptions const& given)
    : Base(std::move(runtime), ranks, with_reduced_cell(given)), given_(given),
      cell_(given.cell.value_or(rows_of(options_))) {}

template <class T>
EwaldPlan<T>::EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options)
    : EwaldPlan(runtime, runtime->ranks(), runtime->ranks().decide([&] { return options; })) {
  check_options<T>(options_);
  if (!has_open_edges(options_)) check_proportions(options_, options_.box);
  machine_ = machine_of<T>(ranks_, runtime_, Method::ewald, options_.implementation, options_.count);
  if (options_.count > 0 && !has_open_edges(options_))
    setup_ = make_setup(options_, options_.count, options_.count, {}, 1);
}

template <class T>
EwaldPlan<T>::EwaldPlan(std::shared_ptr<RuntimeState> runtime, EwaldOptions const& options,
                        EwaldPlanning const& parameters, Ranks const& ranks)
    : EwaldPlan(std::move(runtime), ranks, options) {
  machine_ = cpus_alone();
  setup_ = set_up(options_, parameters, 1);
}

template <class T>
std::shared_ptr<EwaldSetup<T>> EwaldPlan<T>::set_up(EwaldOptions const& options, EwaldPlanning const& parameters,
                                                    double finer) {
  auto const setup = std::make_shared<EwaldSetup<T>>(options, parameters, ranks_, finer);
  complete(*setup);
  return setup;
}

template <class T>
void EwaldPlan<T>::complete(EwaldSetup<T>& setup) const {
  if (!setup.influence) return;
  std::visit(
      [&]<class A>(FarSetup<A>& far) {
        make_influence<A>(runtime_, *setup.influence, setup.corrections,
                          {far.multiplier_memory.data(), far.multiplier_memory.size()});
      },
      setup.far);
}

template <class T>
double EwaldPlan<T>::finest(EwaldOptions const& options) const {
  return std::max({finest_tolerance<T>(), options.near_precision == NearPrecision::single ? finest_for_single_near : 0,
                   options.far_precision == FarPrecision::single ? finest_for_single_far : 0});
}

template <class T>
std::shared_ptr<EwaldSetup<T>> EwaldPlan<T>::make_setup(EwaldOptions options, std::size_t sources, std::size_t targets,
                                                        Clustering const& clustering, double finer) {
  check_options<T>(options);  // before conversion, so that messages use the caller's unit
  Arrangement const arrangement = clustering.sources().value_or(Arrangement());
  double const in_step = crystal_error(arrangement, options.tolerance / finest(options));
  if (options.near_precision == NearPrecision::automatic && options.tolerance < finest_for_single_near)
    options.near_precision = NearPrecision::double_;  // however coarse the far part may be
  options.tolerance =
      std::max(finest(options), options.tolerance / (weak_field(options, sources, targets) * in_step * finer));
  LengthUnit const unit = unit_of(options.box);
  EwaldPlanning const p = ranks_.decide([&] {
    EwaldPlanning chosen = choose_parameters<T>(in_our_unit(unit, options), sources, targets, clustering, machine_);
    chosen.estimated_error *= std::min(1.0, finer);
    expect_memory(chosen.bytes);
    return chosen;
  });
  options.count = sources;
  auto const setup = set_up(options, in_callers_unit(unit, p), finer);
  setup->planes = arrangement.planes();
  return setup;
}

template <class T>
EwaldPlanning EwaldPlan<T>::parameters() const {
  if (std::lock_guard const lock(finer_mutex_); !finer_.empty()) return finer_.back()->parameters;
  std::lock_guard const lock(mutex_);
  this->expect_parameters(setup_ != nullptr, "EwaldOptions");
  return setup_->parameters;
}

template <class T>
std::shared_ptr<PointSet<T>> EwaldPlan<T>::set_rows(OnHost<T> const& sources, OnHost<T> const& targets, Targets which) {
  if (options_.virial) expect_virial_of_sources(which);
  auto const parts = parts_of(ranks_, sources.size(), targets.size(), which);
  std::shared_ptr<PointSet<T>> points;
  ranks_.together(
      [&] { points = in_blocks(setup_for(sources, targets, parts, which), sources, targets, parts, which); });
  return points;
}

template <class T>
std::shared_ptr<PointSet<T>> EwaldPlan<T>::set_given(OnHost<T> const& sources, OnHost<T> const& targets,
                                                     Targets which) {
  Region const region = this->region();
  if (!needs_views(region, sources) && !needs_views(region, targets)) return set_rows(sources, targets, which);
  auto const [from, to] = views_of(ranks_, sources, targets);
  return this->set_views(from, which == Targets::sources ? nullptr : &to);
}

template <class T>
Region EwaldPlan<T>::region() const {
  EwaldOptions const now = present_options();
  return {now.periodicity, now.box, has_zero_face_flux(now), now.cell, !now.cell};
}

template <class T>
typename EwaldPlan<T>::Fitting EwaldPlan<T>::setup_for(OnHost<T> const& sources, OnHost<T> const& targets,
                                                       GivenParts const& parts, Targets which) {
  std::lock_guard const lock(mutex_);
  std::vector<std::shared_ptr<EwaldSetup<T>>> kept;
  if (std::lock_guard const finding(finer_mutex_); !finer_.empty()) kept.swap(finer_);
  if (!kept.empty()) setup_ = kept.back();
  double const finer = fit_factor(setup_ ? setup_->finer : 1);
  std::array<double, 3> const outgrown = setup_ ? setup_->box : std::array<double, 3>{};
  Extent extent;
  if (has_open_edges(options_)) {
    Extent here = Extent::none();
    Loop const loop = worker_loop(runtime_, (sources.size() + targets.size()) / 3);
    ranks_.together([&] { here = extent_so_far(sources.rows(), targets.rows(), loop); });
    extent = extent_of_all(ranks_, here);
    check_proportions(options_, extent.lengths(options_));
  }
  bool const fits = setup_ && extent.fits(options_, setup_->box);
  if (fits) setup_ = in_present_cell(setup_);
  if (fits && setup_) {
    // A plan is good for all points, unless they lie on planes that it does not know of.
    // While the host looks, a GPU begins to sort.
    std::shared_ptr<GpuCellSort<T>> sorting;
    Arrangement const arrangement = arrangement_of(*setup_, extent, sources, parts.sources, [&] {
      if (finer == setup_->finer) sorting = begin_sorting(*setup_, extent, sources, targets, which);
    });
    if (!on_other_planes(arrangement, setup_->planes, parts.sources.all()) && finer == setup_->finer)
      return {setup_, arrangement, extent, cell_, sorting};
  }
  auto const box = extent.box_for(options_, outgrown[0] > 0 ? &outgrown : nullptr);
  Fitting fitting = planned_for(options_, box, extent, sources, targets, parts, which, finer);
  fitting.given = cell_;
  setup_ = fitting.setup;
  return fitting;
}

template <class T>
Arrangement EwaldPlan<T>::arrangement_of(EwaldSetup<T> const& setup, Extent const& extent, OnHost<T> const& sources,
                                         Parts const& parts, std::function<void()> const& meanwhile) const {
  std::size_t const all = parts.all(), count = Arrangement::enough(all);
  std::vector<T> rows;
  if (ranks_.connected()) {
    rows = rows_of_all(ranks_, sources.rows(), parts, count);
  } else {
    std::vector<std::uint32_t> sample(count);
    for (std::size_t i = 0; i < count; ++i) sample[i] = std::uint32_t(sampled(i, count, all));
    rows = rows_on_host<T>(sources.arrays(), 3, std::span<std::uint32_t const>(sample));
  }
  meanwhile();
  if (setup.options.cell) rows = along_rows<T>(setup.options, rows);
  return {in_our_unit(setup.unit, setup.box), in_our_unit(setup.unit, extent.origin(setup.given_box)),
          std::span<T const>(rows), setup.unit, setup.planes};
}

template <class T>
Clustering EwaldPlan<T>::clustering_of(EwaldOptions const& options, std::array<double, 3> const& origin,
                                       OnHost<T> const& sources, OnHost<T> const& targets, GivenParts const& parts,
                                       Targets which) const {
  LengthUnit const unit = unit_of(options.box);
  auto const some_of = [&](OnHost<T> const& points, Parts const& parts_of_points, std::vector<T>& store) {
    if (!ranks_.connected()) return points.rows();
    store = rows_of_all(ranks_, points.rows(), parts_of_points, Clustering::max_samples);
    return std::span<T const>(store);
  };
  std::vector<T> stores[2];
  auto from = some_of(sources, parts.sources, stores[0]),
       to = which == Targets::sources ? from : some_of(targets, parts.targets, stores[1]);
  if (options.cell) {
    from = stores[0] = along_rows(options, from);
    to = which == Targets::sources ? from : stores[1] = along_rows(options, to);
  }
  return {in_our_unit(unit, options.box), in_our_unit(unit, origin), from, to, unit};
}

template <class T>
typename EwaldPlan<T>::Fitting EwaldPlan<T>::planned_for(EwaldOptions const& open, std::array<double, 3> const& box,
                                                         Extent const& extent, OnHost<T> const& sources,
                                                         OnHost<T> const& targets, GivenParts const& parts,
                                                         Targets which, double finer) {
  EwaldOptions options = open;
  options.box = box;
  std::size_t const count = options.count, m = parts.sources.all(),
                    n = which == Targets::sources ? m : parts.targets.all();
  Clustering const clustering = clustering_of(options, extent.origin(open.box), sources, targets, parts, which);
  Fitting fitting{nullptr, clustering.sources().value(), extent, {}};
  ranks_.together([&] {
    fitting.setup = make_setup(options, count > 0 ? count : m, count > 0 ? count : n, clustering, finer);
    fitting.setup->given_box = open.box;
  });
  return fitting;
}

template <class T>
std::shared_ptr<PointSet<T>> EwaldPlan<T>::in_blocks(Fitting const& fitting, OnHost<T> const& sources,
                                                     OnHost<T> const& targets, GivenParts const& parts, Targets which) {
  std::shared_ptr<PointSet<T>> points;
  if (ranks_.connected()) {
    points = deal_points(fitting.setup, fitting.extent, sources.rows(), targets.rows(), parts, which);
  } else {
    points = block_points(fitting, sources, targets, which);
    points->set_parts(parts.sources, parts.targets, ranks_);
  }
  points->set_placement(placement_of(fitting.setup->parameters.on_gpus, machine_.gpus));
  if (int const gpus = points->gpus(); gpus > 1)  // strengths and results will most likely lie as the points do
    points->find_routes(cut_for_gpus(sources.arrays(), 3, gpus, "sources are"),
                        cut_for_gpus((which == Targets::own ? targets : sources).arrays(), 3, gpus, "targets are"));
  points->set_arrangement(fitting.sources);
  points->set_given_cell(fitting.given);
  if constexpr (std::is_same_v<T, float>)
    points->set_rounded(rounded_pairs(near_pairs(*fitting.setup), sources, targets, which == Targets::sources));
  return points;
}

template <class T>
Frame EwaldPlan<T>::frame_in(EwaldSetup<T> const& setup, Extent const& extent) const {
  return frame_of(setup, in_our_unit(setup.unit, extent.origin(setup.given_box)));
}

template <class T>
std::shared_ptr<GpuCellSort<T>> EwaldPlan<T>::begin_sorting(EwaldSetup<T>& setup, Extent const& extent,
                                                            OnHost<T> const& sources, OnHost<T> const& targets,
                                                            Targets which) const {
  Frame const frame = frame_in(setup, extent);
  if (ranks_.connected() || !setup.parameters.on_gpus || !machine_.all_stages ||
      !PointSet<T>::sort_on_gpu(sources, targets, which))
    return nullptr;
  SortManner const manner{"source", setup.zero_face_flux, which == Targets::sources,
                          ordering_gpus(sources.arrays(), setup.owners().count)};
  return std::make_shared<GpuCellSort<T>>(runtime_, frame, sources.arrays(), manner,
                                          setup.rooms.sources.take(sources.size() / 3));
}

template <class T>
std::shared_ptr<PointSet<T>> EwaldPlan<T>::block_points(Fitting const& fitting, OnHost<T> const& sources,
                                                        OnHost<T> const& targets, Targets which) {
  auto const& setup = fitting.setup;
  auto const points = std::make_shared<PointSet<T>>(
      runtime_, this, setup, frame_in(*setup, fitting.extent), sources, targets, which, setup->zero_face_flux,
      setup->parameters.on_gpus && machine_.all_stages, setup->rooms, setup->owners().count, fitting.sorting);
  points->set_owners(block_owners(*setup, *points));
  return points;
}

template <class T>
std::shared_ptr<PointSet<T>> EwaldPlan<T>::deal_points(std::shared_ptr<EwaldSetup<T>> const& setup,
                                                       Extent const& extent, std::span<T const> sources,
                                                       std::span<T const> targets, GivenParts const& parts,
                                                       Targets which) {
  Frame const frame = frame_in(*setup, extent);
  if (!setup->owned) setup->turn_owners(first_owner(ranks_, frame, sources));
  setup->owned = true;
  DealtPoints<T> const from(runtime_, ranks_, frame, sources, parts.sources, "source", setup->zero_face_flux);
  std::optional<DealtPoints<T>> to;
  if (which == Targets::own)
    to.emplace(runtime_, ranks_, frame, targets, parts.targets, "target", setup->zero_face_flux);
  DealtPoints<T> const* const others = to ? &*to : nullptr;
  std::shared_ptr<PointSet<T>> points;
  ranks_.together([&] {
    points = std::make_shared<PointSet<T>>(runtime_, this, setup, frame, from, others, setup->parameters.on_gpus);
    points->set_owners(block_owners(*setup, *points));
  });
  points->deal(from, others, ranks_);
  return points;
}

template <class T>
double EwaldPlan<T>::predicted(Submitted const& s) const {
  auto const points = std::max(s.points->sources().size(), s.points->targets().size());
  Machine const machine = machine_.for_points(double(points));
  double const as_tasks =
                   s.vectors * predicted_seconds(machine, options_, s.points->setup(), *s.points, s.part, s.vectors),
               stages = (s.part != Part::far) + (s.part != Part::near) * far_gpu_stages,
               review = is_reviewed(s) && s.points->all_on_gpus() ? s.vectors * gpu_constants.review : 0;
  return review + (is_one_block(*s.points) && this->suits_chain(*s.points)
                       ? chain_seconds(as_tasks, s.vectors * stages, gpu_task, 0, gpu_constants.chain)
                       : as_tasks);
}

template <class T>
void EwaldPlan<T>::build(Graph& graph, Submitted const& s, SolveArrays<T> const& arrays) const {
  EwaldSetup<T>& setup = s.points->setup();
  if (is_one_block(*s.points)) this->chain(graph, s.points, setup.captured, setup.parameters.bytes);
  EwaldRequest const request{s.part, machine_.mutual_blocks, s.has_energy(setup.kernel), s.vectors};
  auto const jobs = make_ewald_jobs(graph.solve(), setup, *s.points, request, arrays);
  build_ewald_graph(graph, jobs);
  SolveData sums;
  if (s.rows) sums = s.rows->build(graph, *jobs.front().solve, checked_rows(setup));
  graph.submit_chain();
  bring_energies_home(graph.solve(), jobs.front().solve->energy);
  bring_sums_home(graph.solve(), sums);
}

template class EwaldPlan<double>;
template class EwaldPlan<float>;

}  // namespace nearfar::detail

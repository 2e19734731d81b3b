// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/errors.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "tasks/check/energy_noise.hpp"
#include "tasks/check/participation.hpp"
#include "tasks/check/squares.hpp"
#include "tasks/check/virial_error.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/points/worker_loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Adds a sample of the targets, if the order follows from a tolerance, and notes where a few points are, also of
/// sources that are not the targets.
template <class T>
void FmmPlan<T>::add_sample(FmmPointSet<T>& points, RowsInRoot<T> const& targets,
                            std::optional<RowsInRoot<T>> const& sources) {
  constexpr std::size_t few = 256;
  if (options_.order) return;
  FmmPlanning const& p = points.parameters();
  FmmSeconds const t = fmm_seconds(options_.kernel, options_.outputs, p.order, machine_);
  auto const sample = make_sample(points, targets, p.seconds, t.pair, ranks_);
  SeenPoints seen;
  auto const look_at = [&](std::vector<double>& places, std::size_t count, RowsInRoot<T> const& rows) {
    auto const near = placed<T>(sample_of(count, few), rows, ranks_).near;
    places.assign(near.begin(), near.end());
  };
  // Of the same points at each step, which those in corners of leaves are not.
  if (!sample->sample().weights.empty()) look_at(seen[0], points.targets().size(), targets);
  else
    for (std::size_t i = 0; i < std::min(few, sample->targets().size()); ++i)
      for (std::size_t d = 0; d < 3; ++d) seen[0].push_back(sample->at(i, d));
  if (sources) look_at(seen[1], points.sources().size(), *sources);
  points.set_seen(std::move(seen));
  points.set_sample(sample);
}

/// The error in the sample, the same on all ranks. Each rank has its sources' sums at the whole sample, and the results
/// of the targets that it gave.
template <class T>
FoundErrors FmmPlan<T>::errors_found(Submitted const& s) const {
  FmmPointSet<T>& points = *s.points;
  CheckSample<T> const& sample = *points.sample();
  double const rounding = points.parameters().near_in_single ? single_near_error : 0;
  KernelDescription const& kernel = describe(options_.kernel, options_.outputs);
  AskedResults const asked = asked_results(kernel, options_.outputs);
  std::vector<long double> all, tells;
  std::vector<double> exact;
  ranks_.together([&] {
    all.assign(s.checked->begin(), s.checked->end());
    exact.reserve(all.size());
  });
  ranks_.sum(all);
  ranks_.together([&] {
    exact.assign(all.begin(), all.end());
    std::span<double const> const squares = s.rows ? s.rows->results() : std::span<double const>();
    tells = sampled_sums(sample.sample(), sample.stride(), exact, s.result.read_only(),
                         points.target_parts().first[std::size_t(ranks_.rank())], s.vectors, asked, rounding, squares);
  });
  ranks_.sum(tells);
  std::size_t const sampled = sample.targets().size(), targets = points.targets().size();
  double const found =
      ranks_.decide([&] { return sampled_error(tells, sampled, targets, negligible(points)) + rounding; });
  if (sampled == targets) points.set_known_error(found);
  return {found, s.has_energy(kernel) ? error_of_energy(s, tells) : 0};
}

/// By what sampled_sums tells of the sample.
template <class T>
double FmmPlan<T>::error_of_energy(Submitted const& s, std::span<long double const> tells) const {
  using Given = Squares<T>;
  FmmPointSet<T> const& points = *s.points;
  KernelDescription const& kernel = describe(options_.kernel, options_.outputs);
  std::array<long double, Given::numbers> sums{};
  Given given(sums, kernel.strengths, -1, {0, 1});
  ranks_.together([&] {
    bool const known = s.rows && !s.rows->strengths().empty() && given.take(s.rows->strengths());
    if (!known) given.add(s.strengths, false);
  });
  ranks_.sum(std::span<long double>(sums));
  return ranks_.decide([&] {
    long double const of_pairs = points.parameters().near_in_single ? single_near_error : 0;
    EnergyNoise noise(kernel, given);
    for (auto const& asked : asked_results(kernel, options_.outputs).fields) {
      // The lattice adds one potential to all points, by expansions that end: so much of all targets' error is common.
      if (options_.periodicity != Periodicity::none)
        noise.add_common(asked.field, tells[0] / points.sample()->targets().size());
      noise.add(asked.field, tells[0] / points.sample()->targets().size() +
                                 of_pairs * of_pairs * tells[2] / points.targets().size());
      tells = tells.subspan(3);
    }
    return noise.error();
  });
}

/// Of one vector of strengths, as all virials are. The sum of forces times places adds up the errors of forces that the
/// sample has found, of which few cancel: a virial may be far less exact than the forces. `energy`: energy and virial,
/// zeros on all ranks but one.
template <class T>
double FmmPlan<T>::error_of_virial(Submitted const& s, double const* energy) const {
  if (!options_.virial || energy == nullptr) return 0;
  FmmPointSet<T> const& points = *s.points;
  std::vector<long double> exact, energies(energy_and_virial, 0);
  ranks_.together([&] { exact.assign(s.checked->begin(), s.checked->end()); });
  ranks_.sum(exact);
  ForceErrors errors;
  ranks_.together([&] {
    std::vector<double> const sums(exact.begin(), exact.end());
    std::copy_n(energy, energy_and_virial, energies.begin());
    errors = sampled_force_errors<T>(options_.kernel, options_.outputs, *points.sample(), sums, s.strengths,
                                     s.result.read_only(), points.target_parts().first[std::size_t(ranks_.rank())]);
  });
  ranks_.sum(std::span<long double>(errors.sums));
  ranks_.sum(energies);
  // Points lie about the centre; forces across a face act over the whole edge.
  double const edge = std::ranges::max(points.parameters().box), lever = has_faces() ? edge : edge / 2;
  return ranks_.decide([&] {
    return virial_error(errors, points.sample()->targets().size(), points.targets().size(), lever,
                        points.unit().callers(1), energies);
  });
}

/// For each field of a row: one of no more than so much of the first is rounding.
template <class T>
std::vector<double> FmmPlan<T>::negligible(FmmPointSet<T> const& points) const {
  constexpr double of_rounding = 100;  // errors of a derivative that cancels, in units of the last place of what does
  auto const& box = points.parameters().box;
  double const spacing = std::cbrt(box[0] * box[1] * box[2] / double(points.sources().size()));
  std::vector<double> least;
  for (auto const& output : asked_results(describe(options_.kernel, options_.outputs), options_.outputs).fields)
    least.push_back(of_rounding * double(std::numeric_limits<T>::epsilon()) /
                    std::pow(spacing, output.field.derivative));
  return least;
}

/// Most forces are those of the closest pairs, which each point evaluates by itself, so that what rounding changes
/// opposite ones by does not cancel as in Ewald sums, which evaluate a pair once. It is in proportion to the power that
/// they fall with, the second between charges, the fourth between dipoles.
template <class T>
double FmmPlan<T>::of_forces(FmmPointSet<T> const& points) const {
  bool const in_single = std::is_same_v<T, float> || points.parameters().near_in_single;
  double const steeper = describe(options_.kernel, options_.outputs).energy.moment >= 0 ? 2 : 1;
  return in_single ? of_one_number * steeper * single_near_error * std::ranges::max(points.parameters().box) : 0;
}

/// Neither a higher order nor boxes that are better separated may help: what remains then is rounding.
template <class T>
Missed FmmPlan<T>::judged(FmmPointSet<T> const& points, double error, double rounding) const {
  constexpr double worth_while = 0.8, no_digit_right = 0.5;
  double const below = points.error_below();
  return {error, rounding, below == 0 || error <= worth_while * below, error <= no_digit_right};
}

/// A plan that an error called for is for later points too.
template <class T>
void FmmPlan<T>::keep(Points const& points) {
  if (points->error_below() > 0) keep_finer(points->parameters());
}

template <class T>
bool FmmPlan<T>::judges_strengths(GivenArrays<T const> const& strengths, FmmPointSet<T> const& points) const {
  bool const matters = few_sources(options_, 1, double(points.sources().size())) > 1;
  return !options_.order && matters && !(points.strengths_judged() && is_on_gpu(strengths.data()));
}

/// The same points in a finer plan, if so few of these strengths dominate the sum that this plan would miss the
/// tolerance. A sample of the targets tells little then, because the error is that of the few targets at the worst
/// distance. Of strengths in a GPU's memory only the first ones are examined, also where the points move.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::points_for(Points const& points, Submitted const& s) {
  if (s.trial || !judges_strengths(s.strengths, *points)) return points;
  after_callers_stream(s.after, false, s.memory());
  std::vector<long double> sums;
  Loop const loop = points->all_on_gpus() ? worker_loop(runtime_, points->sources().size()) : in_turn;
  ranks_.together([&] { sums = strength_sums<T>(options_.kernel, OnHost<T>(s.strengths), s.vectors, loop); });
  ranks_.sum(sums);
  points->set_strengths_judged();
  double const factor = ranks_.decide(
      [&] { return few_sources(options_, participation_number(sums), double(points->sources().size())); });
  if (factor <= 1) return points;
  auto const finer = plan_for_few<T>(options_, points->parameters(), factor);
  if (!finer) return points;
  Points const made = in_finer_plan(points, *finer);
  points->replace_by(made);
  made->set_strengths_judged();
  keep_finer(made->parameters());
  return made;
}

/// The same points in a finer plan, chosen after a solve had this error; none if there is no finer one.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::finer(Points const& points, Missed const& missed) {
  auto const next =
      finer_plan<T>(options_, points->parameters(), missed.error, !missed.helped && points->has_higher_order());
  if (!next) return nullptr;
  auto const made = in_finer_plan(points, *next);
  points->add_above(made, missed.error);
  return made;
}

/// Builds a new tree as well, because a higher order calls for larger leaves; on the GPU, if it made the last one:
/// points in a tree of the host would be moved by the host from then on.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::in_finer_plan(Points const& points, FinerPlan const& finer) {
  for (auto const* const side : {&points->sources(), &points->targets()}) side->bring_to_host(runtime_);
  GivenParts const parts = points->parts();
  auto const sources = points->rows(Side::sources, ranks_),
             targets = points->same() ? std::vector<T>() : points->rows(Side::targets, ranks_);
  Points made;
  if (points->tree()->is_made_on_gpu())
    made = set_on_gpu(sources, points->same() ? std::nullopt : std::optional<GivenArrays<T const>>(targets),
                      room_for_steps, finer);
  if (!made)
    made = block_points(root_for(sources, targets, parts, true), sources, targets, parts, points->which(), finer);
  made->set_packed(points->offset(), points->moved());
  return made;
}

/// Keeps a finer plan for later sets of points.
template <class T>
void FmmPlan<T>::keep_finer(FmmPlanning const& p) {
  std::lock_guard const lock(finer_mutex_);
  if (!finer_ || finer_->separation < p.well_separation ||
      (finer_->separation == p.well_separation && finer_->order < p.order))
    finer_ = FinerPlan{p.order, p.well_separation};
}

#define NEARFAR_INSTANTIATE(T)                                                                                      \
  template void FmmPlan<T>::add_sample(FmmPointSet<T>&, RowsInRoot<T> const&, std::optional<RowsInRoot<T>> const&); \
  template FoundErrors FmmPlan<T>::errors_found(Submitted const&) const;                                            \
  template double FmmPlan<T>::error_of_virial(Submitted const&, double const*) const;                               \
  template Missed FmmPlan<T>::judged(FmmPointSet<T> const&, double, double) const;                                  \
  template std::vector<double> FmmPlan<T>::negligible(FmmPointSet<T> const&) const;                                 \
  template double FmmPlan<T>::of_forces(FmmPointSet<T> const&) const;                                               \
  template void FmmPlan<T>::keep(Points const&);                                                                    \
  template typename FmmPlan<T>::Points FmmPlan<T>::points_for(Points const&, Submitted const&);                     \
  template typename FmmPlan<T>::Points FmmPlan<T>::finer(Points const&, Missed const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

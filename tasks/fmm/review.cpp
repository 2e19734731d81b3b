// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/errors.hpp"
#include "core/kernels/description.hpp"
#include "core/plan/near_precision.hpp"
#include "tasks/check/carriers.hpp"
#include "tasks/engine/gpu_workers.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/points/worker_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Adds a sample of the targets, if the order follows from a tolerance.
template <class T>
void FmmPlan<T>::add_sample(FmmPointSet<T>& points, PointsInRoot<T> const& targets) {
  if (options_.order) return;
  FmmParameters const& p = points.parameters();
  FmmSeconds const t = fmm_seconds(options_.kernel, options_.outputs, p.order, machine_);
  points.set_sample(make_sample(points, targets, p.seconds, t.pair, ranks_));
}

/// The error in the sample, the same on all ranks. Each rank has its sources' sums at the whole sample, and the results
/// of the targets that it gave.
template <class T>
double FmmPlan<T>::error_found(FmmPointSet<T> const& points, std::span<double const> sums, int vectors,
                               std::span<T const> result) const {
  constexpr double of_rounding = 100;  // errors of a derivative that cancels, in units of the last place of what does
  CheckSample<T> const& sample = *points.sample();
  double const rounding = points.parameters().near_in_single ? single_near_error : 0;
  auto const asked = asked_results(describe(options_.kernel, options_.outputs), options_.outputs);
  std::vector<long double> all, tells;
  std::vector<double> exact, least;
  ranks_.together([&] {
    all.assign(sums.begin(), sums.end());
    exact.reserve(all.size());
  });
  ranks_.sum(all);
  ranks_.together([&] {
    exact.assign(all.begin(), all.end());
    tells = sampled_sums(sample.targets(), sample.stride(), exact, result,
                         points.target_parts().first[std::size_t(ranks_.rank())], vectors, asked, rounding);
  });
  ranks_.sum(tells);
  auto const& box = points.parameters().box;
  double const spacing = std::cbrt(box[0] * box[1] * box[2] / double(points.sources().size()));
  for (auto const& output : asked.fields)
    least.push_back(of_rounding * double(std::numeric_limits<T>::epsilon()) /
                    std::pow(spacing, output.field.derivative));
  return ranks_.decide(
      [&] { return sampled_error(tells, sample.targets().size(), points.targets().size(), least) + rounding; });
}

/// If the sample says that a solve missed the tolerance, it is repeated with finer plans until one meets it, or neither
/// a higher order nor boxes that are better separated help, or one that did not help has no digit right: what remains
/// then is rounding.
template <class T>
Review FmmPlan<T>::review(Points const& points, CheckedSums const& sums, int vectors, std::span<T const> strengths,
                          std::span<T> result) {
  constexpr double worth_while = 0.8, no_digit_right = 0.5;
  auto const error = [this, points, sums, vectors, result] {
    double const found = error_found(*points, *sums, vectors, std::span<T const>(result));
    if (points->sample()->targets().size() == points->targets().size()) points->set_known_error(found);
    if (found > options_.tolerance) points->set_missed(found);
    else if (points->coarser_error() > 0) keep_finer(points->parameters());
    return std::max(found, points->rounding());
  };
  auto const again = [this, points, strengths, result](double found) {
    if (points->gave_up() || found <= points->rounding()) return Solve();  // no finer plan moves points back
    bool const helped = points->coarser_error() == 0 || found <= worth_while * points->coarser_error();
    Points better = points->finest();
    if (!helped && found > no_digit_right) better = nullptr;
    else if (better == points) better = finer(points, found, !helped && points->has_higher_order());
    if (!helped && !better) points->give_up(found);
    return better ? submit(better, strengths, result, {}, true, {}, {}) : Solve();
  };
  return {error, options_.tolerance, again, ranks_.several()};
}

template <class T>
bool FmmPlan<T>::looks_at(std::span<T const> strengths, FmmPointSet<T> const& points) const {
  bool const matters = few_sources(options_, 1, double(points.sources().size())) > 1;
  return !options_.order && matters && !(points.looked_at() && is_on_gpu(strengths.data()));
}

/// The same points in a finer plan, if so few of these strengths dominate the sum that this plan would miss the
/// tolerance. A sample of the targets tells little then, because the error is that of the few targets at the worst
/// distance. Of strengths in a GPU's memory only the first ones are examined.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::suited(Points const& points, std::span<T const> strengths, int vectors) {
  if (!looks_at(strengths, *points)) return points;
  std::vector<long double> sums;
  Loop const loop =
      points->placement() == Placement::all_on_gpus ? worker_loop(runtime_, points->sources().size()) : in_turn;
  ranks_.together([&] { sums = strength_sums<T>(options_.kernel, OnHost<T>(strengths), vectors, loop); });
  ranks_.sum(sums);
  points->set_looked_at();
  double const factor =
      ranks_.decide([&] { return few_sources(options_, carriers(sums), double(points->sources().size())); });
  if (factor <= 1) return points;
  auto const finer = plan_for_few<T>(options_, points->parameters(), factor);
  if (!finer) return points;
  Points const made = made_again(points, *finer);
  made->set_looked_at();
  keep_finer(made->parameters());
  return made;
}

/// The same points in a finer plan, chosen after a solve had this error; none if there is no finer one.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::finer(Points const& points, double error, bool order_in_vain) {
  auto const next = finer_plan<T>(options_, points->parameters(), error, order_in_vain);
  if (!next) return nullptr;
  auto const made = made_again(points, *next);
  made->set_coarser(points, error);
  return made;
}

/// Builds a new tree as well, because a higher order calls for larger leaves.
template <class T>
typename FmmPlan<T>::Points FmmPlan<T>::made_again(Points const& points, FinerPlan const& finer) {
  bool const same = points->same();
  points->sources().bring_to_host(runtime_);
  std::pair<Parts, Parts> const parts{points->source_parts(), same ? Parts() : points->target_parts()};
  auto const sources = points->rows(Side::sources, ranks_),
             targets = same ? std::vector<T>() : points->rows(Side::targets, ranks_);
  auto const made = block_points(root_for(sources, targets, parts, true), sources, targets, parts, same, finer);
  made->set_packed(points->offset(), points->rounding());
  points->set_finer(made);
  return made;
}

/// Keeps a finer plan for later sets of points.
template <class T>
void FmmPlan<T>::keep_finer(FmmParameters const& p) {
  std::lock_guard const lock(finer_mutex_);
  if (!finer_ || finer_->separation < p.well_separation ||
      (finer_->separation == p.well_separation && finer_->order < p.order))
    finer_ = FinerPlan{p.order, p.well_separation};
}

#define NEARFAR_INSTANTIATE(T)                                                                                     \
  template void FmmPlan<T>::add_sample(FmmPointSet<T>&, PointsInRoot<T> const&);                                   \
  template double FmmPlan<T>::error_found(FmmPointSet<T> const&, std::span<double const>, int, std::span<T const>) \
      const;                                                                                                       \
  template Review FmmPlan<T>::review(Points const&, CheckedSums const&, int, std::span<T const>, std::span<T>);    \
  template bool FmmPlan<T>::looks_at(std::span<T const>, FmmPointSet<T> const&) const;                             \
  template typename FmmPlan<T>::Points FmmPlan<T>::suited(Points const&, std::span<T const>, int);                 \
  template typename FmmPlan<T>::Points FmmPlan<T>::finer(Points const&, double, bool);                             \
  template void FmmPlan<T>::keep_finer(FmmParameters const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

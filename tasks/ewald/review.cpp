// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/plan/ewald/error/in_step.hpp"
#include "core/plan/ewald/error/split_level.hpp"
#include "core/plan/ewald/error/weak_field.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tasks/check/energy_noise.hpp"
#include "tasks/check/squares.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/points/extent.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace nearfar::detail {

namespace {

using Real = long double;

/// Where a field begins in a row.
int begin_of(std::span<Field const> fields, int field) {
  int begin = 0;
  for (int f = 0; f < field; ++f) begin += fields[std::size_t(f)].size();
  return begin;
}

int begin_of_pair(KernelDescription const& kernel) {
  for (Layer const& layer : kernel.layers)
    if (layer.fields == 2) return begin_of(kernel.strength_fields, layer.first);
  return -1;
}

/// The square of what WrongSum makes the potential off by: a sum is one number, so three standard deviations of what is
/// random. What rounding does to all charges alike counts with their sum.
Real wrong_sum(WrongSum const& wrong, Real squares, Real square_of_sum) {
  constexpr Real deviations = 3, alike = 5;  // measured: five units of the last place, of charges of one sign
  return deviations * deviations * (wrong.images + wrong.rounding) * squares +
         alike * alike * wrong.rounding * square_of_sum;
}

}  // namespace

template <class T>
CheckRowsArgs checked_rows(EwaldSetup<T> const& setup) {
  return {{setup.kernel.strengths, begin_of_pair(setup.kernel)},
          {asked_results(setup.kernel, setup.asked).numbers, -1}};
}

/// The error that the model predicts for this plan and these strengths, divided by the norm of the computed field.
/// Where fields cancel, as in a crystal, that field is much weaker than plans assume. Each rank contributes the
/// strengths that it gave and the results that it got; the value is the same on all. Collective.
template <class T>
auto EwaldPlan<T>::found(Submitted const& s, VectorNumber const& vector) const -> Found {
  constexpr double surely_met = 0.7;  // below this part of the tolerance a sample is trusted
  constexpr auto numbers = Squares<T>::numbers;
  PointSet<T> const& points = *s.points;
  auto const& setup = points.setup();
  SolvedRows const none, &summed = s.rows ? *s.rows : none;
  KernelDescription const& kernel = setup.kernel;
  AskedResults const asked = asked_results(kernel, setup.asked);
  Real const sources = Real(points.sources().size()), unit = Real(setup.unit.callers(1)),
             in_crystal = crystal_error(points.arrangement(), options_.tolerance / finest(options_));
  // Of results below the normal numbers, which are whole multiples of the smallest one.
  constexpr Real smallest = std::numeric_limits<T>::denorm_min(), of_last_place = smallest * smallest / 12;
  auto const error = [&](bool all) {
    std::array<Real, 2 * numbers> sums{};
    std::span<Real, 2 * numbers> const both(sums);
    Squares<T> given(both.template first<numbers>(), kernel.strengths, begin_of_pair(kernel), vector),
        found(both.template last<numbers>(), asked.numbers, -1, vector);
    ranks_.together([&] {
      if (!summed.results().empty() && given.take(summed.strengths()) && found.take(summed.results())) return;
      std::ranges::fill(sums, 0);
      given.add(s.strengths, all);
      found.add(s.result.read_only(), all);
    });
    ranks_.sum(both);
    auto const relative = [](Real noise, Real field) {
      return noise == 0 ? 0.0 : field > noise ? error_of(double(noise / field)) : 1.0;
    };
    return ranks_.decide([&] {
      EwaldPlanning const ours = in_our_unit(setup.unit, setup.parameters);
      auto const across = in_step_across(points.arrangement(), ours);
      Real const uneven = in_crystal *
                          uneven_error(averaged_over(double(sources), points.arrangement(), ours), !points.same()),
                 noisy = sources * uneven * uneven;
      Real const in_step = sources * (across[0] + across[1] + across[2]);
      bool const pairs_in_single = std::is_same_v<T, float> || ours.near_in_single;
      Real const of_pairs = in_step_pairs(points.arrangement(), double(sources), setup.options, ours, pairs_in_single);
      auto const columns = [&](Layer const& layer) {
        return std::pair(begin_of(kernel.strength_fields, layer.first),
                         kernel.strength_fields[std::size_t(layer.first)].size());
      };
      // The square of a layer's strengths, with what sources on planes have in phase.
      auto const strength = [&](Layer const& layer) {
        if (layer.fields == 2) return given.mean_of_products() + in_step * given.square_of_mean_product();
        auto const [begin, size] = columns(layer);
        Real square = given.mean(begin, begin + size);
        for (int c = 0; square > 0 && c < size; ++c)
          square += (in_step - (kernel.transverse ? sources * across[std::size_t(c % 3)] : 0)) *
                    given.square_of_mean(begin + c);
        return square;
      };
      EnergyNoise in_energy(kernel, given);
      Found worst{0, 0, 0};
      for (auto const& [result, computed, begin] : asked.fields) {
        Real noise = 0, of_far = 0;
        bool const pressure = result.output == Output::pressure;
        if (pressure && !kernel.table.pressure) continue;  // it is 0, and no plan would find it better
        auto const of = [&](FarNoise const& wrong) { return pressure ? wrong.pressure : wrong.field; };
        for (Layer const& layer : kernel.layers) {
          auto const power = std::size_t(layer.decay - 1 + result.derivative);
          Real const squares = noisy / std::pow(unit * unit, Real(power + 1)) * strength(layer);
          noise += of(setup.noise)[power] * squares;
          of_far += of(setup.far_noise)[power] * squares;
          if (power > 0 || pressure) continue;
          auto const [first, size] = columns(layer);
          for (int c = 0; c < size; ++c) noise += of_pairs * of_pairs / (unit * unit) * given.square_of_mean(first + c);
        }
        // Gathered slopes also hold those of the window's images of the field itself.
        if (result.derivative > 0 && !pressure) {
          Real const slopes = setup.slopes[std::size_t(result.derivative)] /
                              std::pow(unit * unit, Real(result.derivative)) *
                              found.mean(0, kernel.result_fields.front().size());
          noise += slopes;
          of_far += slopes;
        }
        Real common = 0;  // of all targets
        for (Layer const& layer : kernel.layers) {
          if (result.derivative > 0 || pressure) continue;
          auto const [first, size] = columns(layer);
          common += wrong_sum(setup.wrong_sum, given.sum_of_squares(first, size),
                              sources * sources * given.square_of_mean(first)) /
                    (unit * unit);
        }
        if (noise > 0) noise += result.size() * of_last_place;
        Real const field = found.mean(begin, begin + result.size());
        // Of close pairs, which make most of a field, and which noise has as if points lay in a crystal.
        in_energy.add(result, noise + (pairs_in_single ? single_near_error * single_near_error * field : 0));
        in_energy.add_common(result, common);
        worst.error = std::max(worst.error, relative(noise + common, field));
        worst.of_far = std::max(worst.of_far, relative(of_far + common, field));
      }
      if (s.has_energy(kernel)) worst.energy = in_energy.error();
      return worst;
    });
  };
  Found const sampled = error(false), found = sampled.error > surely_met * options_.tolerance ? error(true) : sampled;
  return {std::min(1.0, found.error), std::min(1.0, found.of_far), found.energy};
}

/// Of several vectors: of the worst.
template <class T>
FoundErrors EwaldPlan<T>::errors_found(Submitted const& s) {
  Found all{0, 0, 0};
  for (int v = 0; v < s.vectors; ++v) {
    Found const one = found(s, {v, s.vectors});
    all = {std::max(all.error, one.error), std::max(all.of_far, one.of_far), one.energy};
  }
  note_error(all, s.points->setup().finer);
  double const of_virial = options_.virial ? virial_of_energy_noise(s.points->setup().tolerance) * all.energy : 0;
  return {all.error, all.energy, of_virial};
}

/// Each plan helps, by the model, except where the result is nothing but error.
template <class T>
Missed EwaldPlan<T>::judged(PointSet<T> const& points, double error, double rounding) const {
  return {error, rounding, error < 1 || points.below() == nullptr, false};
}

template <class T>
double EwaldPlan<T>::of_forces(PointSet<T> const& points) {
  auto const& p = points.setup().parameters;
  bool const in_single = std::is_same_v<T, float> || p.near_in_single || p.far_in_single;  // forces, or strengths
  return in_single ? single_near_error * std::ranges::max(points.setup().box) : 0;
}

/// A finer plan is for later points too.
template <class T>
void EwaldPlan<T>::keep(Points const& points) {
  if (points->setup().finer > 1) keep_finer(points->shared_setup());
}

template <class T>
void EwaldPlan<T>::keep_finer(std::shared_ptr<EwaldSetup<T>> const& setup) {
  std::lock_guard const lock(finer_mutex_);
  std::erase(finer_, setup);
  finer_.push_back(setup);
}

template <class T>
typename EwaldPlan<T>::Points EwaldPlan<T>::planned_again(Points const& points, double finer, Helps const& helps) {
  EwaldSetup<T> const& before = points->setup();
  EwaldOptions open = given_;  // in the cell of the points, which may be another one by now
  open.box = before.given_box;
  open.cell = before.options.cell;
  open.count = 0;  // recounted
  GivenParts const parts = points->parts();
  auto const [from, to] = given_points(*points);
  OnHost<T> const sources((std::span<T const>(from))), targets((std::span<T const>(to)));
  Extent extent;
  if (has_open_edges(open)) {
    ranks_.together([&, from = from, to = to] { extent = extent_so_far<T>(from, to); });
    extent = extent_of_all(ranks_, extent);
  }
  Fitting const fitting = planned_for(open, before.box, extent, sources, targets, parts, points->which(), finer);
  if (!helps(*fitting.setup)) return nullptr;
  auto const made = in_blocks(fitting, sources, targets, parts, points->which());
  made->set_packed(points->offset(), points->moved());
  made->set_given_cell(points->given_cell());
  return made;
}

/// The same points in a finer plan, chosen after a solve had this error; none if there is none or it would hardly help.
/// Collective.
template <class T>
typename EwaldPlan<T>::Points EwaldPlan<T>::finer(Points const& points, Missed const& missed) {
  constexpr double margin = 1.5, mostly_error = 0.3;
  double const error = missed.error, missed_part = options_.tolerance / error, worth_while = std::max(0.5, missed_part);
  EwaldSetup<T> const& before = points->setup();
  try {
    if (before.tolerance <= finest(options_)) throw Error(Fault::no_resource, "there is no finer plan");
    // A result that is mostly error does not tell how weak the field is: then take the finest plan.
    double const wanted = margin * error / options_.tolerance, most = options_.tolerance / finest(options_),
                 finer = error < mostly_error ? std::min(before.finer * wanted, most) : most;
    // Plans come in steps, so the next one may hardly help, but the one after it does; which may also be worse in some
    // respect, where parameters are set by hand. Where a sum of screened charges is wrong by the far part's single
    // precision, it has to be one in double.
    bool const needs_double = before.wrong_sum.rounding > 0 && std::is_same_v<T, double>;
    double const step = needs_double ? 30 : 4, last = needs_double ? most : std::min(most, step * step * finer);
    bool may_be_worse = true;
    auto const helps = [&](EwaldSetup<T> const& after) {
      bool less = false, more = false;
      auto const compare = [&](auto noise_before, auto noise_after) {
        less = less || noise_after < worth_while * noise_before;
        more = more || noise_after > noise_before;
      };
      auto const of_sum = [](EwaldSetup<T> const& setup) { return setup.wrong_sum.images + setup.wrong_sum.rounding; };
      compare(of_sum(before), of_sum(after));
      for (std::size_t d = 0; d < before.slopes.size(); ++d) compare(before.slopes[d], after.slopes[d]);
      for (std::size_t q = 0; q <= std::size_t(std::max(1, before.kernel.last_power())); ++q) {
        compare(before.noise.field[q], after.noise.field[q]);
        if (before.kernel.table.pressure) compare(before.noise.pressure[q], after.noise.pressure[q]);
      }
      return less && (may_be_worse || !more);
    };
    Points made;
    for (double factor = finer; !made; factor = std::min(last, step * factor)) {
      made = planned_again(points, factor, helps);
      may_be_worse = needs_double;
      if (factor >= last) break;
    }
    if (made) {
      if (before.wrong_sum.rounding > 0)
        keep_finer(made->shared_setup());  // also where no plan will meet the tolerance
      points->add_above(made, error);
      return made;
    }
  } catch (Error const& e) {
    if (e.fault() != Fault::no_resource) throw;  // without memory for a finer plan, the first result stands
  }
  points->settle();
  return nullptr;
}

template <class T>
void EwaldPlan<T>::note_error(Found const& found, double finer) {
  constexpr double margin = 1.3, coarsest = 0.1;  // tolerance of a far part, so that it has a digit
  double const tolerance = options_.tolerance, least = std::min(1.0, tolerance / coarsest);
  if (options_.tolerance_of != ToleranceOf::whole || found.of_far == 0 || found.error >= 1) return;
  // What the near part takes of the tolerance in square is not the far part's.
  double const of_near = found.error * found.error - found.of_far * found.of_far,
               left = tolerance * tolerance - of_near;
  bool const missed = found.error > tolerance;
  double const most = std::max(1.0, finer), wanted = left > 0 ? margin * found.of_far / std::sqrt(left) * finer : most,
               needed = missed ? wanted : std::min(wanted, most);  // of a weak field, finer than the options ask
  if (missed && needed > least_needed_) least_needed_ = needed;
  needed_ = std::max({needed, least, double(least_needed_)});
}

template <class T>
double EwaldPlan<T>::fit_factor(double finer) const {
  constexpr double worth_while = 1.5;  // ions that are shaken gain a factor of 2
  if (options_.tolerance_of != ToleranceOf::whole) return finer;
  return ranks_.decide([&] {
    double const needed = needed_;
    bool const too_coarse = finer * worth_while < needed || finer < least_needed_;  // or it has missed the tolerance
    return finer > worth_while * needed || (finer < 1 && too_coarse) ? needed : finer;
  });
}

template <class T>
typename EwaldPlan<T>::Points EwaldPlan<T>::coarse_enough(Points const& points) {
  double const before = points->setup().finer, finer = fit_factor(before);
  if (finer == before) return points;
  auto const seconds = [](EwaldSetup<T> const& setup) {
    return setup.parameters.on_gpus ? setup.parameters.near_gpu_seconds + setup.parameters.far_gpu_seconds
                                    : setup.parameters.near_seconds + setup.parameters.far_seconds;
  };
  double const now = seconds(points->setup());
  auto const made =
      planned_again(points, finer, [&](EwaldSetup<T> const& after) { return finer > before || seconds(after) < now; });
  if (!made) {  // nothing is gained by it
    needed_ = before;
    return points;
  }
  points->add_above(made, options_.tolerance);
  keep_finer(made->shared_setup());
  return made;
}

#define NEARFAR_INSTANTIATE(T)                                                              \
  template CheckRowsArgs checked_rows(EwaldSetup<T> const&);                                \
  template FoundErrors EwaldPlan<T>::errors_found(Submitted const&);                        \
  template Missed EwaldPlan<T>::judged(PointSet<T> const&, double, double) const;           \
  template double EwaldPlan<T>::of_forces(PointSet<T> const&);                              \
  template void EwaldPlan<T>::keep(Points const&);                                          \
  template typename EwaldPlan<T>::Points EwaldPlan<T>::finer(Points const&, Missed const&); \
  template typename EwaldPlan<T>::Points EwaldPlan<T>::coarse_enough(Points const&);        \
  template double EwaldPlan<T>::fit_factor(double) const;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

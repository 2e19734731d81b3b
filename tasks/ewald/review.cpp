// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/in_step.hpp"
#include "core/plan/ewald/error/split_level.hpp"
#include "core/plan/ewald/error/weak_field.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tasks/engine/gpu_workers.hpp"
#include "tasks/ewald/given_rows.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/points/extent.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

using Real = long double;  // long double has room for squares of doubles

/// Sums of the columns of rows and of their squares: over all rows, or over evenly spaced runs of them. The sums are
/// stored in the caller's numbers, so that ranks can add theirs.
template <class T>
class Squares {
 public:
  /// Sums of squares of 9 columns and of products, the number of rows, sums of 9 columns and of 9 products.
  static constexpr std::size_t numbers = 29;

  Squares(std::span<Real, numbers> sums, int columns) : columns_(std::size_t(columns)), sums_(sums) {}

  void add(std::span<T const> rows, bool all) {
    constexpr std::size_t run = 64, runs = 64;
    std::size_t const count = rows.size() / columns_;
    if (count == 0) return;
    if (all || count <= run * runs) {
      add(OnHost<T>(rows));
    } else {
      std::size_t const step = (count - run) / (runs - 1) * columns_;
      if (is_on_gpu(rows.data())) add(runs_from_gpu(rows, run * columns_, step, runs));
      else
        for (std::size_t i = 0; i < runs; ++i) add(rows.subspan(i * step, run * columns_));
    }
    Real const left_out = Real(count) / rows_;  // scaled to all rows of this rank
    for (Real& sum : sums_) sum *= left_out;
  }

  /// Mean over the rows of the sum of columns [first, last).
  Real mean(int first, int last) const {
    Real sum = 0;
    for (int c = first; c < last; ++c) sum += sums_[std::size_t(c)];
    return sum / rows_;
  }
  /// For double layers given by vectors q and n: the mean of |q|^2 |n|^2.
  Real mean_of_products() const { return products_ / rows_; }
  /// Square of the mean of a column.
  Real square_of_mean(int column) const { return square_of_means(11 + column, 12 + column); }
  /// For double layers: of the mean of q n^T.
  Real square_of_mean_product() const { return square_of_means(20, 29); }

 private:
  void add(std::span<T const> rows) {
    for (std::size_t i = 0; i < rows.size(); i += columns_) {
      Real square[9];
      for (std::size_t c = 0; c < columns_; ++c) {
        sums_[c] += square[c] = Real(rows[i + c]) * Real(rows[i + c]);
        sums_[11 + c] += Real(rows[i + c]);
      }
      if (columns_ < 6) continue;
      Real const* const q = square + columns_ - 6;
      products_ += (q[0] + q[1] + q[2]) * (q[3] + q[4] + q[5]);
      T const* const layer = &rows[i + columns_ - 6];
      for (std::size_t c = 0; c < 9; ++c) sums_[20 + c] += Real(layer[c / 3]) * Real(layer[3 + c % 3]);
    }
    rows_ += Real(rows.size() / columns_);
  }

  Real square_of_means(int first, int last) const {
    Real sum = 0;
    for (int c = first; c < last; ++c) sum += sums_[std::size_t(c)] * sums_[std::size_t(c)];
    return sum / (rows_ * rows_);
  }

  std::size_t columns_;
  std::span<Real, numbers> sums_;
  Real &products_ = sums_[9], &rows_ = sums_[10];
};

}  // namespace

/// Relative l2 error of a solve: the plan's error for these strengths according to the model, over the field that came
/// out. Where fields cancel, as in a crystal, the field is much weaker than plans assume. Each rank contributes the
/// strengths that it gave and the results that it got; the value is the same on all. Collective.
template <class T>
double EwaldPlan<T>::error_found(PointSet<T> const& points, std::span<T const> strengths,
                                 std::span<T const> result) const {
  constexpr double surely_met = 0.7;  // below this part of the tolerance a sample is trusted
  constexpr auto numbers = Squares<T>::numbers;
  auto const& setup = points.setup();
  int const in = strength_components(options_.kernel), out = result_components(options_.kernel, options_.gradient);
  Real const sources = Real(points.sources().size()), unit = Real(setup.unit.callers(1)),
             in_crystal = crystal_error(points.arrangement(), options_.tolerance / finest(options_)),
             uneven = uneven_error(double(sources)) * in_crystal, noisy = sources * uneven * uneven;
  auto const error = [&](bool all) {
    std::array<Real, 2 * numbers> sums{};
    std::span<Real, 2 * numbers> const both(sums);
    Squares<T> given(both.template first<numbers>(), in), found(both.template last<numbers>(), out);
    ranks_.together([&] {
      given.add(strengths, all);
      found.add(result, all);
    });
    ranks_.sum(both);
    auto const relative = [](Real noise, Real field) {
      return noise == 0 ? 0.0 : field > noise ? error_of(double(noise / field)) : 1.0;
    };
    Real const units[] = {noisy / (unit * unit), noisy / (unit * unit * unit * unit)};
    return ranks_.decide([&] {
      auto const across = in_step_across(points.arrangement(), in_our_unit(setup.unit, setup.parameters));
      Real const in_step = sources * (across[0] + across[1] + across[2]);
      if (options_.kernel == Kernel::laplace) {
        Real const charges = given.mean(0, 1) + in_step * given.square_of_mean(0);
        double const potential = relative(setup.noise[0] * units[0] * charges, found.mean(0, 1));
        if (!options_.gradient) return potential;
        Real const slope = setup.slope / (unit * unit) * found.mean(0, 1);
        return std::max(potential, relative(setup.noise[1] * units[1] * charges + slope, found.mean(1, 4)));
      }
      // A plane of forces moves the fluid only along itself.
      Real forces = options_.kernel == Kernel::stresslet ? 0 : given.mean(0, 3);
      for (int d = 0; forces > 0 && d < 3; ++d)
        forces += (in_step - sources * across[std::size_t(d)]) * given.square_of_mean(d);
      Real const layers = given.mean_of_products() + in_step * given.square_of_mean_product();
      return relative(setup.noise[0] * units[0] * forces + setup.noise[1] * units[1] * layers, found.mean(0, 3));
    });
  };
  double const sampled = error(false);
  return std::min(1.0, sampled > surely_met * options_.tolerance ? error(true) : sampled);
}

/// If the field turns out to be so weak that the tolerance is missed, the solve is repeated with a finer plan, by all
/// ranks together.
template <class T>
Review EwaldPlan<T>::review(Points const& points, std::span<T const> strengths, std::span<T> result) {
  auto const error = [this, points, strengths, result] {
    double const found = error_found(*points, strengths, result);
    if (found <= options_.tolerance && points->setup().finer > 1) {
      std::lock_guard const lock(finer_mutex_);
      finer_ = points->shared_setup();
    }
    return std::max(found, points->rounding());
  };
  auto const again = [this, points, strengths, result](double found) {
    if (found <= points->rounding()) return Solve();  // a finer plan does not move points back
    if (found >= 1) points->give_up_all();
    if (points->gave_up()) return Solve();
    Points better = points->finest();
    if (better == points) better = finer(points, found);
    return better ? submit(better, strengths, result, Part::whole) : Solve();
  };
  return {error, options_.tolerance, again, ranks_.several()};
}

/// The same points in a finer plan, chosen after a solve had this error; none if there is none or it would hardly help.
/// Collective.
template <class T>
typename EwaldPlan<T>::Points EwaldPlan<T>::finer(Points const& points, double error) {
  constexpr double margin = 1.5, mostly_error = 0.3, worth_while = 0.5;
  EwaldSetup<T> const& before = points->setup();
  try {
    if (before.tolerance <= finest(options_)) throw Error(Fault::no_resource, "there is no finer plan");
    EwaldOptions options = options_;
    options.box = before.box;
    options.count = 0;  // recounted
    std::pair<Parts, Parts> const parts{points->source_parts(), points->same() ? Parts() : points->target_parts()};
    auto const rows = [&](BlockedPoints<T> const& of, Parts const& of_ranks, auto const& holders) {
      of.bring_to_host(runtime_);
      return given_rows(ranks_, of, of_ranks, holders, points->frame(), before.zero_face_flux);
    };
    auto const from = rows(points->sources(), parts.first, points->owners().holders),
               to = points->same() ? std::vector<T>()
                                   : rows(points->targets(), parts.second, points->owners().target_holders);
    OnHost<T> const sources((std::span<T const>(from))), targets((std::span<T const>(to)));
    Extent extent;
    if (has_open_edges(options_)) {
      ranks_.together([&] { extent = extent_so_far<T>(from, to); });
      extent = extent_of_all(ranks_, extent);
    }
    // A result that is mostly error does not tell how weak the field is: then take the finest plan.
    double const wanted = margin * error / options_.tolerance, most = options_.tolerance / finest(options_),
                 finer = error < mostly_error ? std::min(before.finer * wanted, most) : most;
    Fitting const fitting = planned_for(options, extent, sources, targets, parts, points->same(), finer);
    bool helps = fitting.setup->slope < worth_while * before.slope;
    for (std::size_t q = 0; q < 2; ++q) helps = helps || fitting.setup->noise[q] < worth_while * before.noise[q];
    if (helps) {
      auto const made = in_blocks(fitting, sources, targets, parts, points->same());
      made->set_coarser(points);
      made->set_packed(points->offset(), points->rounding());
      points->set_finer(made);
      return made;
    }
  } catch (Error const& e) {
    if (e.fault() != Fault::no_resource) throw;  // without memory for a finer plan, the first result stands
  }
  points->give_up();
  return nullptr;
}

#define NEARFAR_INSTANTIATE(T)                                                                                 \
  template Review EwaldPlan<T>::review(Points const&, std::span<T const>, std::span<T>);                       \
  template double EwaldPlan<T>::error_found(PointSet<T> const&, std::span<T const>, std::span<T const>) const; \
  template typename EwaldPlan<T>::Points EwaldPlan<T>::finer(Points const&, double);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

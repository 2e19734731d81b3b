// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/parameters.hpp"
#include "core/kernels/description/description.hpp"

#include "core/ewald/options.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/candidate_plans.hpp"
#include "core/plan/ewald/layout.hpp"
#include "core/plan/ewald/window_choice.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar {

namespace {

/// Fractions of the tolerance: for the split alone; and for split, window and rounding, the last of which better
/// parameters hardly lower.
constexpr double split_share = 0.3, whole_share = 0.95;
/// The fraction for split and window: errors of crystals whose ions lie badly between grid points add up, to 2.8 times
/// the estimate with Gaussians.
constexpr double window_share(Split split) { return split == Split::gaussian ? 1.0 / 3 : 0.5; }

constexpr std::size_t tries = 10;  // candidates worked out after the first look, if the first does not do

/// How much finer than the band the grid may be: a finer grid costs FFTs and saves window points. The finest ones keep
/// windows of 8 points, one vector of doubles, for fields that fall faster than 1/r.
constexpr std::array fineness{1.0, 1.1, 1.2, 1.35, 1.5, 1.6, 1.7};
constexpr std::array fineness_for_gaussian{1.2, 1.4, 1.6, 1.8, 2.1};

double square(double x) { return x * x; }

template <class T>
class Choice {
 public:
  Choice(EwaldOptions const& options, CandidatePlans& plans, bool near_in_single)
      : options_(options), plans_(plans), longest_(0.5 * *std::max_element(options.box.begin(), options.box.end())),
        near_in_single_(near_in_single) {}

  EwaldPlanning best();

 private:
  void find_level(Candidate& candidate, bool from_above);
  bool consider(Candidate& candidate, bool first_look);
  void search();

  EwaldOptions const& options_;
  CandidatePlans& plans_;
  double longest_;  // longest cutoff considered
  bool near_in_single_;

  EwaldPlanning best_;
  bool met_ = false;
  double error_ = 0;  // of the best plan, lattices included
  double cost_ = std::numeric_limits<double>::infinity();
};

/// Finds the lowest level whose truncation error is small enough; it hardly changes from one grid to the next.
template <class T>
void Choice<T>::find_level(Candidate& c, bool from_above) {
  auto const enough = [&](int level) {
    Candidate tried = c;
    tried.level = level;
    // With the cutoff set by hand the level is found before the grid: judge it as on a grid that is fine enough.
    if (options_.cutoff && !options_.grid) {
      tried.grid.spacing = pi<double> * *options_.cutoff / plans_.levels().reach(level);
      for (std::size_t d = 0; d < 3; ++d)
        tried.grid.size[d] = 4 + 2 * static_cast<int>(options_.box[d] / tried.grid.spacing / 2);
    }
    return error_of(plans_.model(tried).truncation().total()) <= split_share * options_.tolerance;
  };
  // With both grid and cutoff set by hand, the grid may be too coarse: then a level must do whose band the grid
  // resolves.
  bool const both = options_.cutoff && options_.grid;
  auto const held = [&](int level) {
    return !both || plans_.levels().reach(level) / *options_.cutoff <= plans_.highest(c);
  };
  while (c.level > plans_.levels().first() && !held(c.level)) --c.level;
  while (c.level < plans_.levels().last() && held(c.level + 1) && !enough(c.level)) ++c.level;
  while (from_above && c.level > plans_.levels().first() && enough(c.level - 1)) --c.level;
}

/// Completes a candidate and keeps the best so far; true when it meets the tolerance.
template <class T>
bool Choice<T>::consider(Candidate& c, bool first_look) {
  if (!options_.cutoff || options_.grid) find_level(c, first_look);
  if (!options_.cutoff && !options_.grid && plans_.cutoff(c) > longest_) return false;
  if (options_.window_points) c.window_points = *options_.window_points;
  int const widest = plans_.widest_window(c);
  c.window_points = std::min(c.window_points, widest);
  FarModel far = plans_.model(c);
  FarSquare truncation = far.truncation();
  for (int modelled = c.window_points;; c.window_points += 2) {
    if (c.window_points != modelled && options_.periodicity != Periodicity::xyz) {
      far = plans_.model(c);  // along free directions the spacing depends on the window
      truncation = far.truncation();
      modelled = c.window_points;
    }
    EwaldPlanning p = plans_.plan(c);
    p.near_in_single = near_in_single_;
    c.cost = plans_.cost(p);
    if (met_ && !first_look && c.cost >= cost_) return false;
    auto const choose = p.far_in_single ? choose_window<float> : choose_window<T>;
    WindowChoice const window = choose(far, options_.window, c.window_points, c.finer);
    p.window_shape = window.shape.shape;
    FarSquare const chosen = truncation + window.aliasing, all = chosen + window.rounding;
    p.estimated_error = error_of(all.announced() + (p.near_in_single ? square(single_near_error) : 0));
    double const error = error_of(all.total());
    bool const meets = error_of(chosen.total()) <= window_share(options_.split) * options_.tolerance &&
                       error <= whole_share * options_.tolerance;
    bool const none = best_.window_points == 0;
    if (meets ? !met_ || c.cost < cost_ : none || (!met_ && error < error_)) {
      best_ = p;
      error_ = error;
      met_ = meets;
      cost_ = c.cost;
    }
    if (meets) return true;
    if (options_.window_points || c.window_points + 2 > widest) return false;
  }
}

template <class T>
void Choice<T>::search() {
  // First look: for each fineness, the grid that seems best. It shows which split and window suffice.
  std::vector<Candidate> all;
  int level = plans_.levels().guess();
  if (options_.cutoff && !options_.grid) {
    Candidate first{plans_.grids().front(), 1, level, plans_.min_window()};
    find_level(first, true);
    level = first.level;
  }
  for (double const finer : options_.window == Window::gaussian ? std::span<double const>(fineness_for_gaussian)
                                                                : std::span<double const>(fineness)) {
    auto grids = plans_.like({plans_.grids().front(), finer, level, plans_.min_window()},
                             0.8 * longest_);  // leaves room for the level to rise
    if (grids.empty()) continue;
    plans_.rank(grids);
    if (options_.cutoff) {
      all = grids;
      break;
    }
    Candidate first = grids.front();
    bool const meets = consider(first, true);
    level = first.level;
    if (meets)
      for (Candidate const& c : plans_.like(first, longest_)) all.push_back(c);
  }
  // Then the cheapest candidate by these findings, and others if it misses the tolerance. With the cutoff set by hand
  // nothing is known of windows yet, and finer grids need narrower ones: try several.
  plans_.rank(all);
  for (std::size_t i = 0; i < std::min(all.size(), met_ && !options_.cutoff ? std::size_t(1) : tries); ++i)
    if (!met_ || all[i].cost < cost_) consider(all[i], false);
}

template <class T>
EwaldPlanning Choice<T>::best() {
  search();
  if (!met_ && !options_.grid) {  // short edges may have had too few grid points for the window
    plans_.widen_grids();
    search();
  }
  if (best_.window_points == 0) {
    std::ostringstream text;
    double const longest = *std::max_element(options_.box.begin(), options_.box.end());
    text << "cutoff is " << options_.cutoff.value_or(0) / longest
         << " of the longest box edge (so short that the far part would need more than "
         << std::lround(longest / plans_.grids().back().spacing)
         << " grid points along the longest edge). Set a longer one, or "
         << "leave it out";
    throw Error(Fault::bad_input, text.str());
  }
  // Few points may have twice the error that is estimated. Plans leave room for that unless parameters are set by hand.
  constexpr double scatter = 2;
  if (!met_ && (options_.cutoff || options_.split_parameter || options_.grid || options_.window_points))
    best_.estimated_error *= scatter;
  return best_;
}

/// Whether pairs of a plan in double precision are summed in single: where that is asked for, or the tolerance does not
/// notice and it is faster. With potentials of charges on CPUs it is not: finding the pairs takes longer than summing
/// them. Nor is it of few points.
bool near_in_single(EwaldOptions const& options, double points, Machine const& machine) noexcept {
  bool const faster =
      (describe(options.kernel, options.outputs).results > 1 || machine.gpus > 0) && points >= fewest_for_single_near;
  // Rounding of pairs is more of an energy or virial than of a field: both nearly cancel, and close pairs make most of
  // the virials of dipoles.
  return options.near_precision == NearPrecision::single ||
         (options.near_precision == NearPrecision::automatic && options.tolerance >= finest_for_single_near && faster &&
          !options.virial);
}

}  // namespace

bool may_be_far_in_single(EwaldOptions const& options) noexcept {
  // Energies take its strengths, and a virial the forces of close pairs, times these, to cancel.
  bool const allowed = options.far_precision == FarPrecision::single ||
                       (options.far_precision == FarPrecision::automatic && !options.virial);
  return allowed && options.tolerance >= finest_for_single_far;
}

template <class T>
EwaldPlanning choose_parameters(EwaldOptions const& options, std::size_t sources, std::size_t targets,
                                Clustering const& clustering, Machine const& all) {
  check_options<T>(options);
  Machine const machine = all.for_points(double(std::max(sources, targets)));
  auto const plans_for = [&](EwaldOptions const& o) {
    return CandidatePlans(o, std::max<std::size_t>(1, sources), std::max<std::size_t>(1, targets), clustering, machine);
  };
  bool const in_single =
      std::is_same_v<T, double> && near_in_single(options, double(std::max(sources, targets)), machine);
  std::vector<EwaldPlanning> found;
  auto const search = [&](Influence influence, FarPrecision far) {
    EwaldOptions o = options;
    o.influence = influence;
    o.far_precision = far;
    CandidatePlans plans = plans_for(o);
    found.push_back(Choice<T>(o, plans, in_single).best());
  };
  auto const search_all = [&](FarPrecision far) {
    search(Influence::direct, far);
    if (options.periodicity != Periodicity::none || options.influence == Influence::direct) return;
    if (options.window_points.value_or(0) > widest_for_table) return;
    // The best plan without a table may, with one added, beat what a search for plans with tables finds.
    EwaldPlanning with_table = found.back();
    with_table.influence_table = true;
    if (options.influence == Influence::table) found.pop_back();
    if (with_table.window_points <= widest_for_table) found.push_back(with_table);
    search(Influence::table, far);
  };
  bool const single = std::is_same_v<T, double> && may_be_far_in_single(options);
  if (!single || options.far_precision == FarPrecision::automatic) search_all(FarPrecision::double_);
  if (single) search_all(FarPrecision::single);
  CandidatePlans const plans = plans_for(options);
  auto const rank = [&](EwaldPlanning const& p) {
    return std::pair(p.estimated_error > options.tolerance, plans.cost(p));
  };
  EwaldPlanning parameters = *std::ranges::min_element(found, {}, rank);
  lay_out(parameters, options, plans.work(parameters), sources, targets,
          parameters.far_in_single ? sizeof(float) : sizeof(T), clustering.at(parameters.cutoff), machine);
  return parameters;
}

template EwaldPlanning choose_parameters<float>(EwaldOptions const&, std::size_t, std::size_t, Clustering const&,
                                                Machine const&);
template EwaldPlanning choose_parameters<double>(EwaldOptions const&, std::size_t, std::size_t, Clustering const&,
                                                 Machine const&);

}  // namespace nearfar

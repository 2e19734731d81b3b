// SPDX-License-Identifier: BSD-3-Clause
#include "core/parameters.hpp"

#include "core/axes.hpp"
#include "core/candidates.hpp"
#include "core/constants.hpp"
#include "core/far_grid.hpp"
#include "core/far_model.hpp"
#include "core/layout.hpp"
#include "core/options.hpp"
#include "core/split_level.hpp"
#include "core/window_choice.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace nearfar {

namespace {

/// Shares of the tolerance: of the split; of split and window; and with rounding, which better parameters hardly lower.
constexpr double split_share = 0.3, window_share = 0.5, whole_share = 0.95;
/// Where the cutoff is as short as may be, as it is for no other plan: errors of crystals are known only roughly, and
/// those of few points, which take no time, even less.
constexpr double share_of_shortest = 0.4, few_points = 1000;
constexpr int tries = 10;       // candidates worked out after the first look
constexpr int shortenings = 4;  // halvings of what the cutoff may be too long by

/// How much finer than the band the grid may be: a finer grid costs FFTs and saves window points.
using Fineness = std::array<double, 5>;
constexpr Fineness fineness{1, 1.1, 1.2, 1.35, 1.5}, fineness_for_gaussian{1.2, 1.4, 1.6, 1.8, 2.1};

/// A grid; with the accuracy of the split and the window that were found to do for grids like it, that is a plan.
struct Candidate {
  GridChoice grid;
  double finer;
  int level;
  int window_points;
  double cost = 0;
};

template <class T>
class Choice {
 public:
  Choice(EwaldOptions const& options, std::size_t sources, std::size_t targets, Rates const& rates,
         Clumping const& clumping, MachineShape const& machine)
      : options_(options), sources_(double(sources)), targets_(double(targets)), rates_(rates), clumping_(clumping),
        machine_(machine), levels_(options) {
    longest_ = 0.5 * *std::max_element(options.box.begin(), options.box.end());
    least_window_ = options.window_points.value_or(least_window_points(options.tolerance));
    int const least = std::max(8, 17 * least_window_ / 10);  // leaves room for the window that will be found
    grids_ = options.grid ? std::vector<GridChoice>{{*options.grid}}
                          : candidate_grids(options.box, options.periodicity, least);
  }

  EwaldParameters best();

  /// With blocks as they are, or as they would about be.
  Work work(EwaldParameters p) const {
    double const degree = layer_degree(options_.split, p.split_parameter);
    auto const predict = [&] {
      return predict_work(options_, p, degree, sources_, targets_, rates_, clumping_.at(p.cutoff),
                          machine_.mutual_blocks);
    };
    Work const first = predict();
    if (p.blocks[0] > 0) return first;
    int const across = int(std::lround(std::sqrt(wanted_blocks(first, std::max(sources_, targets_), machine_))));
    p.blocks = outside(axes_of(options_.periodicity), std::array<int, 3>{across, across, 1});
    return predict();
  }
  double cost(EwaldParameters const& p) const { return machine_.cost(work(p)); }

 private:
  double highest(Candidate const& c) const;
  int widest_window(Candidate const& c) const;
  GridSize grid_of(Candidate const& c) const;
  double cutoff(Candidate const& c) const {
    return options_.cutoff.value_or(levels_.reach(c.level) * c.finer / highest(c));
  }
  EwaldParameters plan(Candidate const& c) const {
    EwaldParameters p;
    p.box = options_.box;
    p.cutoff = cutoff(c);
    p.split_parameter = levels_.parameter(c.level);
    p.grid = grid_of(c);
    p.window_points = c.window_points;
    return p;
  }
  FarModel model(Candidate const& c) {
    EwaldParameters const p = plan(c);
    FilledGrid const grid = filled_grid(options_, p);
    return {grid.edge,         grid.size,
            p.cutoff,          options_.kernel,
            options_.gradient, levels_.shape(c.level),
            sources_,          free_directions(options_.periodicity)};
  }

  std::vector<Candidate> like(Candidate const& found, double longest) const;
  void rank(std::vector<Candidate>& candidates) const;
  void find_level(Candidate& candidate, bool from_above);
  bool consider(Candidate& candidate, bool first_look);
  void search();
  void shorten();

  EwaldOptions options_;
  double sources_, targets_;
  Rates rates_;
  Clumping clumping_;
  MachineShape machine_;
  SplitLevels levels_;
  double longest_;  // cutoff that is still considered
  int least_window_;
  std::vector<GridChoice> grids_;

  EwaldParameters best_;
  Candidate found_;  // what the best plan was made from
  double window_share_ = window_share;
  bool met_ = false;
  double error_ = 0;  // of the best plan, lattices included
  double cost_ = std::numeric_limits<double>::infinity();
};

/// The highest wave number that the grid holds in every direction.
template <class T>
double Choice<T>::highest(Candidate const& c) const {
  double k = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < 3; ++d) {
    double h = c.grid.spacing;
    if (is_periodic(options_.periodicity, int(d))) h = options_.box[d] / c.grid.size[d];
    else if (options_.grid) h = spacing_free(options_.box[d], c.grid.size[d], c.window_points);
    k = std::min(k, pi<double> / h);
  }
  return k;
}

/// The window must fit into the grid, which grows with it along free directions unless it is set by hand.
template <class T>
int Choice<T>::widest_window(Candidate const& c) const {
  int widest = max_window_points;
  for (std::size_t d = 0; d < 3; ++d)
    if (is_periodic(options_.periodicity, int(d))) widest = std::min(widest, c.grid.size[d]);
    else if (options_.grid) widest = std::min(widest, c.grid.size[d] - room_beside_window);
  return widest;
}

template <class T>
GridSize Choice<T>::grid_of(Candidate const& c) const {
  GridSize size = c.grid.size;
  for (std::size_t d = 0; d < 3 && !options_.grid; ++d)
    if (!is_periodic(options_.periodicity, int(d)))
      size[d] = grid_points_free(options_.box[d], c.grid.spacing, c.window_points, cutoff(c));
  return size;
}

/// All grids that one found candidate speaks for, with cutoffs up to `longest`.
template <class T>
std::vector<Candidate> Choice<T>::like(Candidate const& found, double longest) const {
  std::vector<Candidate> all;
  for (GridChoice const& grid : grids_) {
    Candidate c{grid, found.finer, found.level, found.window_points};
    if (options_.cutoff) {  // then the cutoff tells how fine the grid is
      c.finer = highest(c) * *options_.cutoff / levels_.reach(found.level);
      if (!options_.grid && (c.finer < 1 || (c.finer > 1.6 && !all.empty()))) continue;
    } else if (!options_.grid && cutoff(c) > longest) {
      continue;
    }
    all.push_back(c);
  }
  return all;
}

template <class T>
void Choice<T>::rank(std::vector<Candidate>& candidates) const {
  for (Candidate& c : candidates) c.cost = cost(plan(c));
  std::stable_sort(candidates.begin(), candidates.end(), [](auto const& a, auto const& b) { return a.cost < b.cost; });
}

/// The lowest level whose truncation error is small enough. It hardly changes from one grid to the next.
template <class T>
void Choice<T>::find_level(Candidate& c, bool from_above) {
  auto const enough = [&](int level) {
    Candidate tried = c;
    tried.level = level;
    // With the cutoff set by hand, the level comes before the grid: judge it on a grid that is fine enough.
    if (options_.cutoff && !options_.grid) {
      tried.grid.spacing = pi<double> * *options_.cutoff / levels_.reach(level);
      for (std::size_t d = 0; d < 3; ++d)
        tried.grid.size[d] = 4 + 2 * static_cast<int>(options_.box[d] / tried.grid.spacing / 2);
    }
    return error_of(model(tried).truncation().total()) <= split_share * options_.tolerance;
  };
  // A grid set by hand may be too coarse for the cutoff set by hand: then the band that it holds has to do.
  bool const both = options_.cutoff && options_.grid;
  auto const held = [&](int level) { return !both || levels_.reach(level) / *options_.cutoff <= highest(c); };
  while (c.level > levels_.first() && !held(c.level)) --c.level;
  while (c.level < levels_.last() && held(c.level + 1) && !enough(c.level)) ++c.level;
  while (from_above && c.level > levels_.first() && enough(c.level - 1)) --c.level;
}

/// Works a candidate out; true when it meets the tolerance. Keeps the best so far.
template <class T>
bool Choice<T>::consider(Candidate& c, bool first_look) {
  if (!options_.cutoff || options_.grid) find_level(c, first_look);
  if (!options_.cutoff && !options_.grid && cutoff(c) > longest_) return false;
  if (options_.window_points) c.window_points = *options_.window_points;
  int const widest = widest_window(c);
  c.window_points = std::min(c.window_points, widest);
  FarModel far = model(c);
  FarSquare truncation = far.truncation();
  for (int modelled = c.window_points;; c.window_points += 2) {
    if (c.window_points != modelled && options_.periodicity != Periodicity::xyz) {
      far = model(c);  // the spacing along free directions is what the window leaves of the grid
      truncation = far.truncation();
      modelled = c.window_points;
    }
    EwaldParameters p = plan(c);
    c.cost = cost(p);
    if (met_ && !first_look && c.cost >= cost_) return false;
    WindowChoice const window = choose_window<T>(far, options_.window, c.window_points, c.finer);
    p.window_shape = window.shape.shape;
    FarSquare const chosen = truncation + window.aliasing, all = chosen + window.rounding;
    p.estimated_error = error_of(all.announced());
    double const error = error_of(all.total());
    bool const meets =
        error_of(chosen.total()) <= window_share_ * options_.tolerance && error <= whole_share * options_.tolerance;
    bool const none = best_.window_points == 0;
    if (meets ? !met_ || c.cost < cost_ : none || (!met_ && error < error_)) {
      best_ = p;
      found_ = c;
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
  // First look: for each fineness the grid that seems best. It tells which split and window will do.
  std::vector<Candidate> all;
  int level = levels_.guess();
  if (options_.cutoff && !options_.grid) {
    Candidate first{grids_.front(), 1, level, least_window_};
    find_level(first, true);
    level = first.level;
  }
  for (double finer : options_.window == Window::gaussian ? fineness_for_gaussian : fineness) {
    auto grids = like({grids_.front(), finer, level, least_window_}, 0.8 * longest_);  // the level may rise
    if (grids.empty()) continue;
    rank(grids);
    if (options_.cutoff) {
      all = grids;
      break;
    }
    Candidate first = grids.front();
    bool const meets = consider(first, true);
    level = first.level;
    if (meets)
      for (Candidate const& c : like(first, longest_)) all.push_back(c);
  }
  // Then the cheapest ones, by what is known now.
  rank(all);
  for (int i = 0; i < tries && i < static_cast<int>(all.size()); ++i)
    if (!met_ || all[i].cost < cost_) consider(all[i], false);
}

/// The shortest cutoff that the grid and the window of the best plan will do with.
template <class T>
void Choice<T>::shorten() {
  if (!met_ || options_.cutoff || sources_ < few_points) return;
  window_share_ = share_of_shortest;
  double low = 1, high = found_.finer;
  for (int step = 0; step < shortenings; ++step) {
    Candidate c = found_;
    c.finer = (low + high) / 2;
    (consider(c, false) ? high : low) = c.finer;
  }
}

template <class T>
EwaldParameters Choice<T>::best() {
  search();
  if (!met_ && !options_.grid) {  // short edges may have had too few grid points for the window
    grids_ = candidate_grids(options_.box, options_.periodicity, max_window_points);
    search();
  }
  shorten();
  if (best_.window_points == 0) {
    std::ostringstream text;
    double const longest = *std::max_element(options_.box.begin(), options_.box.end());
    text << "cutoff is " << options_.cutoff.value_or(0) << " (so short that the far part would need more than "
         << std::lround(longest / grids_.back().spacing)
         << " grid points along the longest edge). Set a longer one, or "
         << "leave it out";
    throw Error(Fault::bad_input, text.str());
  }
  return best_;
}

}  // namespace

double fit_error(double tolerance) noexcept { return tolerance / 100; }

template <class T>
EwaldParameters choose_parameters(EwaldOptions const& options, std::size_t sources, std::size_t targets,
                                  Rates const& rates, Clumping const& clumping, MachineShape const& machine) {
  check_options<T>(options);
  Choice<T> choice(options, std::max<std::size_t>(1, sources), std::max<std::size_t>(1, targets), rates, clumping,
                   machine);
  EwaldParameters parameters = choice.best();
  Work const work = choice.work(parameters);
  lay_out(parameters, options, work, sources, targets, sizeof(T), clumping.at(parameters.cutoff), machine);
  parameters.near_seconds = choice.work(parameters).near;  // which the blocks have a part in
  return parameters;
}

template EwaldParameters choose_parameters<float>(EwaldOptions const&, std::size_t, std::size_t, Rates const&,
                                                  Clumping const&, MachineShape const&);
template EwaldParameters choose_parameters<double>(EwaldOptions const&, std::size_t, std::size_t, Rates const&,
                                                   Clumping const&, MachineShape const&);

}  // namespace nearfar

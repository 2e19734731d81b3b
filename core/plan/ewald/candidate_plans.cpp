// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/candidate_plans.hpp"
#include "core/kernels/description/description.hpp"

#include "core/ewald/far/far_grid.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/window_choice.hpp"
#include "core/spectral/smooth_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar {

namespace {

constexpr double step = 1.035;

/// Grids to choose from, coarse to fine, a few percent apart: about the same spacing in all directions, sizes that suit
/// an FFT, and at least `least` points in each periodic direction.
std::vector<GridChoice> candidate_grids(std::array<double, 3> const& box, Periodicity periodicity, int least) {
  double const longest = *std::max_element(box.begin(), box.end());
  std::vector<GridChoice> grids;
  int const coarsest = periodicity == Periodicity::none ? 2 : least;
  for (int m = even_smooth_at_least(coarsest); m <= largest_grid;
       m = even_smooth_at_least(std::max(m + 2.0, m * step))) {
    GridChoice grid{{}, longest / m};
    for (std::size_t d = 0; d < 3; ++d)
      if (is_periodic(periodicity, int(d)))
        grid.size[d] = even_smooth_at_least(std::max<double>(least, box[d] / longest * m * (1 - 1e-9)));
    grids.push_back(grid);
  }
  return grids;
}

}  // namespace

CandidatePlans::CandidatePlans(EwaldOptions const& options, std::size_t sources, std::size_t targets,
                               Clustering const& clustering, Machine const& machine)
    : options_(options), sources_(double(sources)), targets_(double(targets)), clustering_(clustering),
      machine_(machine), levels_(options),
      min_window_(options.window_points.value_or(min_window_points(options.tolerance))) {
  int const least = std::max(8, 17 * min_window_ / 10);  // leaves room for the window that will be found
  grids_ = options.grid ? std::vector<GridChoice>{{*options.grid}}
                        : candidate_grids(options.box, options.periodicity, least);
}

void CandidatePlans::widen_grids() { grids_ = candidate_grids(options_.box, options_.periodicity, max_window_points); }

double CandidatePlans::highest(Candidate const& c) const {
  double k = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < 3; ++d) {
    double h = c.grid.spacing;
    if (is_periodic(options_.periodicity, int(d))) h = options_.box[d] / c.grid.size[d];
    else if (options_.grid) h = spacing_free(options_.box[d], c.grid.size[d], c.window_points);
    k = std::min(k, pi<double> / h);
  }
  return k;
}

int CandidatePlans::widest_window(Candidate const& c) const {
  int widest = options_.influence == Influence::table ? widest_for_table : max_window_points;
  for (std::size_t d = 0; d < 3; ++d)
    if (is_periodic(options_.periodicity, int(d))) widest = std::min(widest, c.grid.size[d]);
    else if (options_.grid) widest = std::min(widest, c.grid.size[d] - room_beside_window);
  return widest;
}

GridSize CandidatePlans::grid_of(Candidate const& c) const {
  GridSize size = c.grid.size;
  for (std::size_t d = 0; d < 3 && !options_.grid; ++d)
    if (!is_periodic(options_.periodicity, int(d)))
      size[d] = grid_points_free(options_.box[d], c.grid.spacing, c.window_points, cutoff(c));
  return size;
}

std::vector<Candidate> CandidatePlans::like(Candidate const& found, double longest) const {
  std::vector<Candidate> all;
  for (GridChoice const& grid : grids_) {
    Candidate c{grid, found.finer, found.level, found.window_points};
    if (options_.cutoff) {  // then the cutoff determines how fine the grid must be
      c.finer = highest(c) * *options_.cutoff / levels_.reach(found.level);
      if (!options_.grid && (c.finer < 1 || (c.finer > 1.6 && !all.empty()))) continue;
    } else if (!options_.grid && cutoff(c) > longest) {
      continue;
    }
    all.push_back(c);
  }
  return all;
}

void CandidatePlans::rank(std::vector<Candidate>& candidates) const {
  for (Candidate& c : candidates) c.cost = cost(plan(c));
  std::stable_sort(candidates.begin(), candidates.end(), [](auto const& a, auto const& b) { return a.cost < b.cost; });
}

double CandidatePlans::cutoff(Candidate const& c) const {
  return options_.cutoff.value_or(levels_.reach(c.level) * c.finer / highest(c));
}

EwaldPlanning CandidatePlans::plan(Candidate const& c) const {
  EwaldPlanning p;
  p.box = options_.box;
  p.cell = rows_of(options_);
  p.cutoff = cutoff(c);
  p.split_parameter = levels_.parameter(c.level);
  p.grid = grid_of(c);
  p.window_points = c.window_points;
  p.influence_table = options_.influence == Influence::table;
  p.far_in_single = options_.far_precision == FarPrecision::single;
  return p;
}

FarModel CandidatePlans::model(Candidate const& c) {
  EwaldPlanning const p = plan(c);
  FilledGrid const grid = filled_grid(options_, p);
  Axes const axes = periodic_first(options_.periodicity);
  return {inside(axes, grid.edge),
          inside(axes, grid.size),
          p.cutoff,
          describe(options_.kernel, options_.outputs),
          options_.screening.value_or(0),
          [&](Base base) -> SplitShape const& { return levels_.shape(c.level, base); },
          sources_ / fullness_of(options_),  // in a box of the edges of a skewed cell points are as dense
          free_directions(options_.periodicity),
          mean_field(options_),
          inside(axes, clustering_.sources() ? clustering_.sources()->planes()
                       : options_.cell       ? PlaneSpacing()
                                             : plane_spacing_of_crystal(options_.box, sources_))};
}

Work CandidatePlans::work(EwaldPlanning const& p) const {
  return predict_work(options_, p, layer_degree(options_.split, p.split_parameter), sources_, targets_, machine_,
                      clustering_.at(p.cutoff));
}

double CandidatePlans::cost(EwaldPlanning const& p) const {
  Work each = work(p);
  if (machine_.gpus <= 0)
    each.pairs.cpu *= pairs_of_each(describe(options_.kernel, options_.outputs), options_.vectors);
  return cost_of(each, machine_);
}

}  // namespace nearfar

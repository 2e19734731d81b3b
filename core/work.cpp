// SPDX-License-Identifier: BSD-3-Clause
#include "core/work.hpp"

#include "core/axes.hpp"
#include "core/cell_choice.hpp"
#include "core/constants.hpp"
#include "core/far_grid.hpp"
#include "core/kernel_layers.hpp"
#include "core/near_pair.hpp"
#include "core/near_record.hpp"
#include "core/near_tile.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// What a pair consists of.
struct PairShape {
  int polynomials, flops;
};

template <Kernel K, bool Gradient>
constexpr PairShape shape_of{NearPair<K, Gradient>::polynomials, NearPair<K, Gradient>::flops};

PairShape pair_shape(Kernel kernel, bool gradient) {
  switch (kernel) {
    case Kernel::stokeslet: return shape_of<Kernel::stokeslet, false>;
    case Kernel::stresslet: return shape_of<Kernel::stresslet, false>;
    case Kernel::stokes: return shape_of<Kernel::stokes, false>;
    case Kernel::laplace: break;
  }
  return gradient ? shape_of<Kernel::laplace, true> : shape_of<Kernel::laplace, false>;
}

double Rates::*spread_rate(Kernel kernel) {
  if (has_double_layer(kernel)) return &Rates::spread_double_layer;
  return kernel == Kernel::laplace ? &Rates::spread_scalar : &Rates::spread_vector;
}
double Rates::*gather_rate(Kernel kernel, bool gradient) {
  if (kernel != Kernel::laplace) return &Rates::gather_vector;
  return gradient ? &Rates::gather_gradient : &Rates::gather_scalar;
}

/// Pairs within the cutoff.
double count_pairs(EwaldOptions const& o, double cutoff, double sources, double targets, double clumping) {
  double const volume = o.box[0] * o.box[1] * o.box[2], ball = 4 * pi<double> / 3 * cutoff * cutoff * cutoff / volume;
  double inside = 1;
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(o.periodicity, int(d))) inside *= share_inside(cutoff / o.box[d]);
  // Where points crowd they do so away from the faces.
  return sources * targets * ball * (inside + clumping - 1);
}

/// Padded columns are filled up with zeros, and fall out of the nearest cache.
double column_transforms(Grid const& grid) { return grid.free > 0 ? 1.25 : 1; }

/// In operations of the multiplication in the column stage: a double layer has more components to combine.
double multiplications(Kernel kernel) { return has_double_layer(kernel) ? 2.2 : 1; }

}  // namespace

WorkTerms work_terms(EwaldOptions const& o, EwaldParameters const& p, double degree, double sources, double targets,
                     double clumping, double lanes, bool mutual_blocks) {
  Cells cells = choose_cells(o, p, std::max(sources, targets), clumping);
  auto const blocks = inside(axes_of(o.periodicity), p.blocks);
  std::copy(blocks.begin(), blocks.end(), cells.blocks);
  CellsRead const read = cells_read(cells);
  double const pairs = count_pairs(o, p.cutoff, sources, targets, clumping),
               evaluated = pairs * pairs_evaluated(cells, clumping * targets / (o.box[0] * o.box[1] * o.box[2]));
  // As many targets as sources: as a rule they are the same points.
  double const mutual = sources == targets ? mutual_share(cells, pairs / targets, mutual_blocks) : 0,
               visits = 1 - mutual / 2, summed = evaluated * (1 - mutual + mutual * mutual_pair / 2);
  PairShape const pair = pair_shape(o.kernel, o.gradient);
  int const strengths = strength_components(o.kernel), results = result_components(o.kernel, o.gradient);
  int const in = forward_components(o.kernel), out = inverse_components(o.kernel);
  Grid const grid = make_grid(o, p);
  // The beginning of a row costs about as much as a vector of it.
  double const step = window_row_step(int(lanes)), row = std::ceil(p.window_points / step) * step + lanes,
               window = double(p.window_points) * p.window_points * row;
  double const column_modes = column_points(grid);
  return {{{{&Rates::near_point, targets},
            {&Rates::run, targets * read.runs * visits},
            {&Rates::tested, targets * sources * clumping * read.share * visits},
            {&Rates::quad, summed * record_width(strengths) / 4},
            {&Rates::degree, summed * pair.polynomials * degree}}},
          {{{&Rates::number, sources * strengths + targets * results}}},
          {{{&Rates::spread_point, sources},
            {spread_rate(o.kernel), sources * window},
            {&Rates::slab, double(in) * grid.size[0] * double(grid.plane_size())}}},
          {{{&Rates::gather_point, targets}, {gather_rate(o.kernel, o.gradient), targets * window}}},
          {{{&Rates::plane, (in + out) * plane_points(grid)}}},
          {{{&Rates::column, 0.5 * (in + out) * column_modes * column_transforms(grid)},
            {&Rates::multiply, column_modes * multiplications(o.kernel)}}},
          pairs * (2 * degree * pair.polynomials + 17 + pair.flops)};
}

Work predict_work(EwaldOptions const& o, EwaldParameters const& p, double degree, double sources, double targets,
                  Rates const& r, double clumping, bool mutual_blocks) {
  WorkTerms const terms = work_terms(o, p, degree, sources, targets, clumping, r.lanes, mutual_blocks);
  Work work;
  work.points = seconds_of(terms.points, r);
  work.near = seconds_of(terms.near, r) + work.points;
  work.spread = seconds_of(terms.spread, r);
  work.gather = seconds_of(terms.gather, r);
  work.planes = seconds_of(terms.planes, r);
  work.columns = seconds_of(terms.columns, r);
  work.near_flops = terms.near_flops;
  work.targets = targets;
  return work;
}

}  // namespace nearfar

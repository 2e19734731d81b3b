// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout.hpp"

#include "core/axes.hpp"
#include "core/constants.hpp"
#include "core/far_grid.hpp"
#include "core/kernel_layers.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr double task = 5e-3, shortest_task = 2e-4, grid_task = 3e-3;  // seconds

constexpr int most_slabs = 256;  // there are slabs x columns tiles

int clamp_count(double count, int low, int high) {
  return static_cast<int>(std::clamp<double>(count, low, std::max(low, high)));
}

/// Sources are read in runs along z, two cutoffs long and one cell column wide. Wide columns hold points that are too
/// far away, thin ones make runs shorter than a SIMD vector: two vectors of floats are the best of both.
constexpr double points_per_run = 30;

using Edges = std::array<double, 3>;

std::array<int, 3> choose_cells(Edges const& box, double cutoff, double points, double clumping) {
  double const density = clumping * points / (box[0] * box[1] * box[2]);
  double const across = std::clamp(std::sqrt(points_per_run / (2 * cutoff * density)), 0.2 * cutoff, cutoff);
  double const edge[3] = {across, across, across / 2};  // along z a finer cut costs nothing
  std::array<int, 3> cells;
  for (std::size_t d = 0; d < 3; ++d) cells[d] = static_cast<int>(std::clamp(box[d] / edge[d], 1.0, 4096.0));
  // A sparse set has fewer cells: walking through empty ones would cost more than testing far pairs. Where points are
  // dense in a part of the box, most cells are empty anyway.
  double const most = 4 * std::min(clumping, 4.0) * points + 64;
  for (int d = 0; d < 3; ++d) {
    double const product = double(cells[0]) * cells[1] * cells[2];
    if (product <= most) break;
    for (int& c : cells)
      if (c > 1) c = std::max(1, static_cast<int>(c * std::cbrt(most / product)));
  }
  return cells;
}

/// Bricks of cells, one P2P task each. Pencils along z have the fewest edges in the plane where the tasks are counted.
std::array<int, 3> choose_blocks(Edges const& box, std::array<int, 3> const& cells, double near, double points) {
  double const wanted = near / task, least = points > 2000 ? 8 : 1,
               most = std::min(4096.0, std::max(near / shortest_task, least));
  double const count = std::clamp(wanted, least, most);
  double const across = std::max(box[0], box[1]);
  std::array<int, 3> blocks;
  double const along = box[2] > 2 * across ? std::min(box[2] / across, count) : 1;
  // More than the plane has cells for goes along z.
  double const plane = double(cells[0]) * cells[1];
  blocks[2] = clamp_count(std::ceil(std::max(along, count / plane)), 1, cells[2]);
  double const rest = std::max(1.0, count / blocks[2]);
  blocks[0] = clamp_count(std::round(std::sqrt(rest * box[0] / box[1])), 1, cells[0]);
  blocks[1] = clamp_count(std::ceil(rest / blocks[0]), 1, cells[1]);
  blocks[0] = clamp_count(std::ceil(rest / blocks[1]), 1, cells[0]);
  while (double(blocks[0]) * blocks[1] * blocks[2] > 4096) --*std::max_element(blocks.begin(), blocks.end());
  return blocks;
}

/// What a kernel costs beside the Stokeslet, whose rates are measured: a pair, a degree
/// of its layers, and in plain components what it spreads.
struct Share {
  double pair = 1, degree = 1, spread = 1;
};

Share share_of(Kernel kernel) {
  if (kernel == Kernel::stresslet) return {1.05, 1, 5};
  if (kernel == Kernel::stokes) return {1.2, 1.5, 5};
  return {1, 1, double(forward_components(kernel))};
}

}  // namespace

Work predict_work(EwaldOptions const& o, EwaldParameters const& p, double degree, double sources, double targets,
                  Rates const& r, double clumping) {
  int const in = forward_components(o.kernel), out = result_components(o.kernel, o.gradient);
  double const volume = o.box[0] * o.box[1] * o.box[2], window = std::pow(p.window_points, 3);
  double const pairs = clumping * targets * sources / volume * 4 * pi<double> / 3 * std::pow(p.cutoff, 3);
  Work work;
  Share const more = share_of(o.kernel);
  work.near = targets * r.near_point +
              pairs * std::max(0.2 * r.pair, more.pair * r.pair + more.degree * r.pair_degree * (degree - 16));
  work.spread = sources * (r.spread_point + r.spread * more.spread * window);
  work.gather = targets * (r.gather_point + r.gather * out * window);
  work.grid = r.grid * 0.5 * (in + inverse_components(o.kernel)) * transform_points(make_grid(o, p));
  return work;
}

void lay_out(EwaldParameters& p, EwaldOptions const& o, Work const& work, std::size_t sources, std::size_t targets,
             std::size_t bytes_per_number, double clumping) {
  double const points = static_cast<double>(std::max(sources, targets));
  Axes const axes = axes_of(o.periodicity);
  auto const box = inside(axes, o.box);
  auto const cells = choose_cells(box, p.cutoff, points, clumping);
  p.cells = outside(axes, cells);
  p.blocks = outside(axes, choose_blocks(box, cells, work.near, points));
  // The plane stages of the FFTs, forth and back, and the columns with the scaling share the grid's time about evenly.
  double const slabs = std::max(work.spread / grid_task, work.grid / 3 / grid_task);
  // A slab also sees the windows that reach into it: thin ones see many points twice.
  int const thinnest = std::max(4, p.window_points / 2);
  Grid const grid = make_grid(o, p);
  p.slabs = clamp_count(std::ceil(slabs), 1, std::min(grid.size[0] / thinnest, most_slabs));
  p.columns = clamp_count(p.slabs, 1, grid.padding[0].size[1] / 2);

  double const components = forward_components(o.kernel), number = double(bytes_per_number), lanes = 2;
  double const planes = double(grid.size[0]) * double(grid.plane_size()),
               tiles = 2.0 * grid.size[0] * grid.column_count();
  p.bytes =
      static_cast<std::size_t>(lanes * components * number * (planes + tiles) + 300.0 * double(sources + targets));
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout.hpp"

#include "core/axes.hpp"
#include "core/cell_choice.hpp"
#include "core/far_grid.hpp"
#include "core/kernel_layers.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

// Seconds of a task: so long that one thread can submit them all, and that most pairs are within a block. Those of the
// second line are for plans that would have too few for the workers.
constexpr double task = 1e-2, grid_task = 3e-3;
constexpr double short_task = 1.5e-3, shortest_task = 2e-4, short_grid_task = 5e-4;

constexpr int most_slabs = 256;  // there are slabs x columns tiles
constexpr int slabs_per_worker = 3;
constexpr double longest_of_stage = 1.12, end_of_stage = 2e-6;  // by the mean; in seconds for each worker
constexpr double few_rounds = 8;  // tasks for each worker that make it matter how many there are; not for 4 workers

int clamp_count(double count, int low, int high) {
  return static_cast<int>(std::clamp<double>(count, low, std::max(low, high)));
}

using Edges = std::array<double, 3>;

/// Tasks of a stage on the grid: at most one for each worker if they would be shorter than usual, and as many for each
/// of them.
double wanted_groups(double seconds, int workers) {
  return std::max(seconds / grid_task, std::min<double>(workers, seconds / short_grid_task));
}
int whole_rounds(int tasks, int workers) { return tasks > workers ? tasks - tasks % workers : tasks; }

/// About as many blocks, so that a stage with a task for each of them is over soonest: 16 tasks take 15 workers as long
/// as 30. Tasks are as long as the largest block; long thin blocks have more neighbours.
std::array<int, 3> in_whole_rounds(Edges const& box, std::array<int, 3> const& cells, std::array<int, 3> const& about,
                                   int workers) {
  constexpr double fewer = 0.75, more = 1.5, thinness = 0.1, others = 0.1;
  auto const largest = [&](std::size_t d, int blocks) { return (cells[d] + blocks - 1) / blocks; };
  double const wanted = double(about[0]) * about[1];
  std::array<int, 3> best = about;
  double least = HUGE_VAL;
  for (int x = 1; x <= std::min<double>(cells[0], more * wanted); ++x)
    for (int y = int(std::ceil(fewer * wanted / x)); y <= std::min<double>(cells[1], more * wanted / x); ++y) {
      double const rounds = std::ceil(double(x) * y * about[2] / workers), shape = std::log(box[0] / x / (box[1] / y));
      double const cost = rounds * largest(0, x) * largest(1, y) * (1 + thinness * shape * shape) *
                          (1 + others * std::abs(std::log(x * y / wanted)));
      if (cost < least) least = cost, best = {x, y, about[2]};
    }
  return best;
}

/// Blocks of cells, one P2P task each. Pencils along z have the fewest neighbours, and as few points at their faces as
/// bricks have.
std::array<int, 3> choose_blocks(Edges const& box, std::array<int, 3> const& cells, double count, int workers) {
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
  return workers > 4 && count < few_rounds * workers ? in_whole_rounds(box, cells, blocks, workers) : blocks;
}

}  // namespace

double wanted_blocks(Work const& work, double points, MachineShape const& machine) {
  bool const few = points <= 2000;
  double const least = few ? 1 : 8, near = work.near, workers = few ? 1 : machine.cpus;
  double const most = std::min(4096.0, std::max(near / shortest_task, least));
  double const wanted = machine.gpus > 0 ? machine.gpu_tasks(work)
                                         : std::max({near / task, workers, std::min(2 * workers, near / short_task)});
  return std::clamp(wanted, least, most);
}

void lay_out(EwaldParameters& p, EwaldOptions const& o, Work const& work, std::size_t sources, std::size_t targets,
             std::size_t bytes_per_number, double clumping, MachineShape const& machine) {
  double const points = static_cast<double>(std::max(sources, targets));
  p.near_seconds = work.near;
  p.point_seconds = work.points;
  p.far_seconds = work.far();
  p.spread_seconds = work.spread;
  p.near_gpu_seconds = machine.near_gpu_seconds(work);
  Axes const axes = axes_of(o.periodicity);
  auto const box = inside(axes, o.box);
  Cells const chosen = choose_cells(o, p, points, clumping);
  std::array<int, 3> const cells{chosen.count[0], chosen.count[1], chosen.count[2]};
  int const workers = std::max(1, machine.cpus);
  p.cells = outside(axes, cells);
  p.blocks = outside(axes, choose_blocks(box, cells, wanted_blocks(work, points, machine), workers));
  double const slabs = wanted_groups(std::max(work.spread, work.planes / 2), workers);  // planes are transformed twice
  // A slab also sees the windows that reach into it: thin ones see many points twice. They are only as thin as it takes
  // to keep all workers busy.
  int const thinnest = std::max(4, p.window_points / 2), enough = slabs_per_worker * workers;
  Grid const grid = make_grid(o, p);
  double const wanted = std::min(slabs, std::max<double>(enough, grid.size[0] / (2.0 * p.window_points)));
  p.slabs = whole_rounds(clamp_count(std::ceil(wanted), 1, std::min(grid.size[0] / thinnest, most_slabs)), workers);
  p.columns = clamp_count(std::ceil(wanted_groups(work.columns, workers)), 1,
                          std::min(grid.padding[0].size[1] / 2, most_slabs));

  double const blocks = double(p.blocks[0]) * p.blocks[1] * p.blocks[2];
  // A stage ends with the longest of its tasks, no two of which are alike, and all workers look for the next one.
  double const stages[] = {machine.span(work.points, blocks),      machine.span(work.spread, p.slabs),
                           machine.span(work.planes / 2, p.slabs), machine.span(work.columns, p.columns),
                           machine.span(work.planes / 2, p.slabs), machine.span(work.gather, blocks)};
  p.chain_seconds = 0;
  for (double const seconds : stages)
    p.chain_seconds += workers > 1 ? longest_of_stage * seconds + end_of_stage * workers : seconds;
  p.last_seconds = (work.gather + work.points / 2) / blocks;
  double const components = forward_components(o.kernel), number = double(bytes_per_number);
  double const planes = double(grid.size[0]) * double(grid.plane_size()),
               tiles = 2.0 * grid.size[0] * grid.column_count(),
               multipliers = 0.25 * grid.padding[0].size[0] * grid.column_count();
  p.bytes = static_cast<std::size_t>(number * (components * (planes + tiles) + multipliers) +
                                     300.0 * double(sources + targets));
}

}  // namespace nearfar

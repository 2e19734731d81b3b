// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/layout.hpp"

#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/far/influence.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/geometry/near_frame.hpp"
#include "core/kernels/description/description.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

// Seconds of a task: long enough that one thread can submit all tasks and most pairs are within a block. The second
// line applies to plans that would otherwise have too few tasks for the workers.
constexpr double task = 1e-2, grid_task = 3e-3;
constexpr double short_task = 1.5e-3, shortest_task = 2e-4, short_grid_task = 5e-4;

constexpr int max_slabs = 256;  // there are slabs x columns tiles
constexpr int slabs_per_worker = 3;
constexpr double longest_of_stage = 1.12, end_of_stage = 2e-6;  // relative to the mean task; seconds per worker
constexpr double few_rounds = 8;  // tasks per worker below which their exact number matters; not for <= 4 workers

int clamp_count(double count, int low, int high) {
  return static_cast<int>(std::clamp<double>(count, low, std::max(low, high)));
}

using Edges = std::array<double, 3>;

/// Sources are read in runs along z, two cutoffs long and one cell column wide. Wide columns hold points that are too
/// far away, thin ones make runs that hardly fill a SIMD vector. The cutoff is a whole number of column widths, because
/// slightly narrower columns would only add one on either side. Measured: up to about this many points in a run,
/// halving the width gained nothing, on CPUs and on GPUs.
constexpr double points_per_run = 150, points_per_gpu_run = 75, along_z = 8;

/// The cells of a plan, at least `fewest`, not yet cut into blocks: of a skewed box by its heights. `points` is the
/// larger number of sources and targets, `clustering` as for predict_work.
std::array<int, 3> choose_cells(Edges const& box, double volume, std::array<int, 3> const& fewest, double cutoff,
                                double points, double clustering, bool on_gpus) {
  double const density = clustering * points / volume;
  double const in_widest = 2 * density * cutoff * cutoff * cutoff,
               in_run = on_gpus ? points_per_gpu_run : points_per_run;
  double const across = cutoff / std::clamp(std::ceil(std::sqrt(in_widest / in_run)), 1.0, 5.0);
  double const edge[3] = {across, across, cutoff / along_z};  // finer along z costs nothing
  std::array<int, 3> cells;
  for (std::size_t d = 0; d < 3; ++d)
    cells[d] = static_cast<int>(std::clamp(box[d] / edge[d], double(fewest[d]), 4096.0));
  // A sparse set has fewer cells: walking through empty ones would cost more than testing far pairs. Where points are
  // dense in a part of the box, most cells are empty anyway.
  double const most = 4 * std::min(clustering, 4.0) * points + 64;
  for (;;) {
    double const product = double(cells[0]) * cells[1] * cells[2];
    if (!(product > most)) return cells;
    for (std::size_t d = 0; d < 3; ++d)
      cells[d] = std::max(fewest[d], static_cast<int>(cells[d] * std::cbrt(most / product)));
  }
}

/// Tasks of a stage on the grid: of the usual length, or, if that would be fewer than one per worker, shorter ones, up
/// to one per worker. whole_rounds makes their number a multiple of the workers.
double wanted_groups(double seconds, int workers) {
  return std::max(seconds / grid_task, std::min<double>(workers, seconds / short_grid_task));
}
int whole_rounds(int tasks, int workers) { return tasks > workers ? tasks - tasks % workers : tasks; }

/// The cells of an edge that is cut into so many blocks, and the fraction of them in the largest block. Blocks consist
/// of whole cells: of 13 cells, the largest of six blocks has three. Of 12 all blocks have two, at the price of
/// slightly wider cells, which hold a few more pairs beyond the cutoff.
struct Cut {
  int cells;
  double largest;
  double cost() const noexcept { return largest / std::sqrt(double(cells)); }
};
Cut best_cut(int cells, int blocks) {
  int const alike = cells / blocks * blocks;
  Cut const as_they_are{cells, double((cells + blocks - 1) / blocks) / cells}, fitted{alike, 1.0 / blocks};
  return alike >= std::min(cells, min_periodic_cells) && fitted.cost() < as_they_are.cost() ? fitted : as_they_are;
}

/// About as many blocks as asked for, chosen such that a stage with one task per block ends soonest: 16 tasks take 15
/// workers as long as 30. A task is as long as its largest block; long thin blocks have more neighbours.
std::array<int, 3> in_whole_rounds(Edges const& box, std::array<int, 3>& cells, std::array<int, 3> const& about,
                                   int workers) {
  constexpr double fewer = 0.75, more = 1.5, thinness = 0.1, others = 0.1;
  double const wanted = double(about[0]) * about[1];
  std::array<int, 3> best = about;
  double least = HUGE_VAL;
  for (int x = 1; x <= std::min<double>(cells[0], more * wanted); ++x)
    for (int y = int(std::ceil(fewer * wanted / x)); y <= std::min<double>(cells[1], more * wanted / x); ++y) {
      double const rounds = std::ceil(double(x) * y * about[2] / workers), shape = std::log(box[0] / x / (box[1] / y));
      double const cost = rounds * best_cut(cells[0], x).cost() * best_cut(cells[1], y).cost() *
                          (1 + thinness * shape * shape) * (1 + others * std::abs(std::log(x * y / wanted)));
      if (cost < least) least = cost, best = {x, y, about[2]};
    }
  for (std::size_t d = 0; d < 2; ++d) cells[d] = best_cut(cells[d], best[d]).cells;
  return best;
}

/// Blocks of cells, one P2P task each. Pencils along z have the fewest neighbours, and as few points at their faces as
/// bricks. May widen cells a little.
std::array<int, 3> choose_blocks(Edges const& box, std::array<int, 3>& cells, double count, int workers) {
  double const across = std::max(box[0], box[1]);
  std::array<int, 3> blocks;
  double const along = box[2] > 2 * across ? std::min(box[2] / across, count) : 1;
  // If there are more blocks than cells in the plane, z is cut too.
  double const plane = double(cells[0]) * cells[1];
  blocks[2] = clamp_count(std::ceil(std::max(along, count / plane)), 1, cells[2]);
  double const rest = std::max(1.0, count / blocks[2]);
  blocks[0] = clamp_count(std::round(std::sqrt(rest * box[0] / box[1])), 1, cells[0]);
  blocks[1] = clamp_count(std::ceil(rest / blocks[0]), 1, cells[1]);
  blocks[0] = clamp_count(std::ceil(rest / blocks[1]), 1, cells[0]);
  while (double(blocks[0]) * blocks[1] * blocks[2] > 4096) --*std::max_element(blocks.begin(), blocks.end());
  return workers > 4 && count < few_rounds * workers ? in_whole_rounds(box, cells, blocks, workers) : blocks;
}

double multiplier_count(EwaldOptions const& o, EwaldPlanning const& p, SpectralLayout const& layout) {
  double const modes = (layout.skewed ? 1 : 0.25) * layout.padding[0].size[0] * layout.column_count();
  return describe(o.kernel, o.outputs).mode_numbers(p.influence_table) * modes;
}

/// Numbers held between the two steps that make a table of the influence function.
double table_planes(EwaldOptions const& o, EwaldPlanning const& p) {
  return describe(o.kernel, o.outputs).table.numbers() * 0.5 * cut_transforms(o, p)[0] * (p.grid[1] + 1.0) *
         (p.grid[2] + 1.0);
}

/// Each GPU gets a slab and the points beside it; a single GPU needs no cuts. Where each belongs to another rank, each
/// slab is cut again into what its neighbours read and the rest, at faces common to points and planes. Not where points
/// are clustered: there the costs of blocks decide the owners. GPUs of one process pack what others read
/// (tasks/ewald/ghosts.hpp), and so do those of ranks that have several each.
void share_among_gpus(EwaldPlanning& p, Axes const& axes, std::array<int, 3> cells, double edge, Grid const& grid,
                      double clustering, Machine const& machine) {
  constexpr double uniform = 1.3;
  int const gpus = machine.gpus, planes = grid.layout.size[0];
  p.blocks = outside(axes, std::array<int, 3>{std::min(gpus, cells[0]), 1, 1});
  p.slabs = p.columns = std::min(gpus, planes / p.window_points);
  if (machine.ranks != gpus || gpus == 1 || clustering > uniform) return;
  cells[0] -= cells[0] % gpus;
  int const reach = cells[0] > 0 ? int(std::ceil(p.cutoff / edge * cells[0])) : 0;
  // How far a window reaches beyond a face; in free directions the planes also begin before the cells.
  int const touched = p.window_points / 2 + 2 + int(std::ceil(grid.offset[0]));
  if (cells[0] < 3 * gpus * std::max(1, reach) || planes < 3 * gpus * touched) return;
  p.halo_cells = reach;
  p.halo_planes = touched;
  p.cells = outside(axes, cells);
  p.blocks = outside(axes, std::array<int, 3>{3 * gpus, 1, 1});
  p.slabs = 3 * gpus;
  p.columns = 2 * gpus;  // one group is scaled while tiles of the other are sent
}

}  // namespace

double wanted_blocks(Work const& work, double points, Machine const& machine) {
  bool const few = points <= 2000;
  double const least = few ? 1 : 8, near = work.near(), workers = few ? 1 : machine.cpus;
  double const most = std::min(4096.0, std::max(near / shortest_task, least));
  double const wanted = machine.gpus > 0 ? gpu_tasks(work, machine)
                                         : std::max({near / task, workers, std::min(2 * workers, near / short_task)});
  return std::clamp(wanted, least, most);
}

int cells_that_keep_digits(int cells, int blocks) noexcept { return cells != 4 ? cells : blocks > 3 ? 5 : 3; }

void lay_out(EwaldPlanning& p, EwaldOptions const& o, Work const& work, std::size_t sources, std::size_t targets,
             std::size_t bytes_per_number, double clustering, Machine const& machine) {
  double const points = static_cast<double>(std::max(sources, targets));
  p.near_seconds = work.near();
  p.point_seconds = work.points.cpu;
  p.far_seconds = work.far();
  p.spread_seconds = work.spread.cpu;
  p.near_gpu_seconds = near_gpu_seconds(work, machine);
  Axes const axes = axes_of(o.periodicity);
  auto const box = inside(axes, o.box), heights = inside(axes, heights_of(o));
  double const volume = box[0] * box[1] * box[2] * fullness_of(o);
  std::array<int, 3> fewest;
  for (std::size_t d = 0; d < 3; ++d) fewest[d] = is_periodic(o.periodicity, axes[d]) ? min_periodic_cells : 1;
  bool const single = bytes_per_number == sizeof(float);
  auto const kept_digits = [&](std::array<int, 3> cells, std::array<int, 3> const& blocks) {
    for (std::size_t d = 0; d < 3 && single; ++d)
      if (is_periodic(o.periodicity, axes[d])) cells[d] = cells_that_keep_digits(cells[d], blocks[d]);
    return cells;
  };
  std::array<int, 3> const uncut =
      kept_digits(choose_cells(heights, volume, fewest, p.cutoff, points, clustering, machine.gpus > 0), {1, 1, 1});
  std::array<int, 3> cells = uncut;
  int const workers = std::max(1, machine.cpus);
  auto const blocks_inside = choose_blocks(box, cells, wanted_blocks(work, points, machine), workers);
  p.blocks = outside(axes, blocks_inside);
  p.cells = outside(axes, kept_digits(cells, blocks_inside));
  double const slabs =
      wanted_groups(std::max(work.spread.cpu, work.planes.cpu / 2), workers);  // planes are transformed twice
  // A slab also reads points whose windows merely reach into it, so with thin slabs many points are spread twice: they
  // are only as thin as it takes to keep all workers busy.
  int const thinnest = std::max(4, p.window_points / 2), enough = slabs_per_worker * workers;
  Grid const grid = make_grid(o, p);
  double const wanted = std::min(slabs, std::max<double>(enough, grid.layout.size[0] / (2.0 * p.window_points)));
  p.slabs =
      whole_rounds(clamp_count(std::ceil(wanted), 1, std::min(grid.layout.size[0] / thinnest, max_slabs)), workers);
  p.columns = clamp_count(std::ceil(wanted_groups(work.columns.cpu, workers)), 1,
                          std::min(grid.layout.padding[0].size[1] / 2, max_slabs));

  p.on_gpus = machine.all_on_gpus(work.targets);
  if (p.on_gpus) {
    p.cells = outside(axes, uncut);  // without the changes made for blocks of CPU workers
    share_among_gpus(p, axes, uncut, heights[0], grid, clustering, machine);
    p.far_gpu_seconds = far_gpu_seconds(work, machine);
  }

  double const blocks = double(p.blocks[0]) * p.blocks[1] * p.blocks[2];
  // A stage ends with its longest task, since no two are alike; then every worker has to find the next one.
  double const stages[] = {machine.span(work.points.cpu, blocks),      machine.span(work.spread.cpu, p.slabs),
                           machine.span(work.planes.cpu / 2, p.slabs), machine.span(work.columns.cpu, p.columns),
                           machine.span(work.planes.cpu / 2, p.slabs), machine.span(work.gather.cpu, blocks)};
  p.chain_seconds = work.communication;
  for (double const seconds : stages)
    p.chain_seconds += workers > 1 ? longest_of_stage * seconds + end_of_stage * workers : seconds;
  p.last_seconds = (work.gather.cpu + work.points.cpu / 2) / blocks;
  KernelDescription const& kernel = describe(o.kernel, o.outputs);
  double const components = std::max(kernel.forward, kernel.inverse), number = double(bytes_per_number);
  double const planes = double(grid.layout.size[0]) * double(grid.layout.plane_size()),
               tiles = 2.0 * grid.layout.size[0] * make_grid(o, p).layout.column_count(),
               multipliers = multiplier_count(o, p, grid.layout),
               making = p.influence_table ? 8 * table_planes(o, p) : 0;  // needed before planes and tiles exist
  p.bytes = static_cast<std::size_t>(number * multipliers + std::max(number * components * (planes + tiles), making) +
                                     300.0 * double(sources + targets));
}

}  // namespace nearfar

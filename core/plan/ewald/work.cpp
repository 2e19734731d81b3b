// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/work.hpp"

#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/far/influence.hpp"
#include "core/ewald/split/near_tile.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/packed_source.hpp"
#include "core/kernels/several.hpp"
#include "core/math/constants.hpp"
#include "core/math/expects.hpp"
#include "core/plan/ewald/communication.hpp"
#include "core/plan/ewald/gpu_lengths.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

// Other work per point or per grid point than that of core/plan/constants.hpp hardly changes which plan is the cheapest
// and is not counted: see docs/ewald.md, Sec. 6. Tiles of targets evaluate more pairs than those within the cutoff.
constexpr double evaluated = 1.5;
// Pairs in double precision on GPUs, by those in single.
constexpr double gpu_pairs_in_double = 1.47;
// So many solves share the making of a table of the influence function.
constexpr double solves_of_table = 10;

/// Quads of numbers whose reading takes as long as what a pair takes beside its polynomials: those of the packed
/// source, or the use of the factors, at this many operations each, if there are further outputs and that takes longer.
double quads_of_pair(KernelDescription const& kernel) {
  constexpr double flops_of_quad = 17;
  double const read = packed_width(kernel.strengths) / 4;
  return kernel.slopes() > 0 ? std::max(read, kernel.near_flops / flops_of_quad) : read;
}

double gather_seconds(KernelDescription const& kernel, WorkConstants const& c) {
  if (kernel.inverse > 1)
    return c.per_velocity * (kernel.inverse / 3.0) + kernel.sloped * (c.per_gradient - c.per_potential);
  return kernel.gathers_slopes ? c.per_gradient : c.per_potential;
}

/// Numbers a window touches; the start of each row costs about as much as one more vector of it.
double window_numbers(int points, double lanes) {
  double const step = window_row_step(int(lanes));
  return double(points) * points * (std::ceil(points / step) * step + lanes);
}

/// Points of all transforms that make a table.
double table_points(EwaldOptions const& o, EwaldPlanning const& p) {
  auto const cut = cut_transforms(o, p);
  double lines = 1, points = 0;
  for (std::size_t d = 0; d < 2; ++d) lines *= 0.5 * cut[d];
  for (std::size_t d = 3; d-- > 0;) {
    points += lines * (cut[d] + 2.0 * p.grid[d]);
    if (d > 0) lines *= 2.0 * p.grid[d] / cut[d - 1];
  }
  return describe(o.kernel, o.outputs).table.numbers() * points;
}

/// P2G of a source on a GPU: 32 threads hold a brick of nodes together (codelets/spectral/p2g/p2g_team.hpp), and a
/// point is added to the whole brick if its window reaches any node. A double layer is spread by the window and by its
/// slopes.
double gpu_spread_seconds(KernelDescription const& kernel, double window, WorkConstants const& c) {
  bool const slopes = kernel.spreads_slopes;
  double const nodes = (window + 4 - 1) * (window + 8 - 1) * (window + 8 - 1);
  return c.per_spread * (slopes ? 7 : kernel.forward) * nodes + c.per_spread_point * (slopes ? 2 : 1) * window;
}

/// G2P of a target on a GPU.
double gpu_gather_seconds(KernelDescription const& kernel, double window, WorkConstants const& c) {
  return c.per_gathered_point + c.per_velocity / 3 * (kernel.inverse + kernel.sloped) * window * window * window;
}

/// Evenly spread points have fewer pairs within a distance where no images lie beyond the faces: the fraction that is
/// left, for one free direction. It is the mean of 1 - |x| (0 where |x| > 1) over the ball around a point whose radius
/// is `reach` edges.
double share_inside(double reach) {
  if (reach <= 1) return 1 - 3 * reach / 8;
  return 3 / (4 * reach) - 1 / (8 * reach * reach * reach);
}

}  // namespace

double count_pairs(EwaldOptions const& o, double cutoff, double sources, double targets, double clustering) {
  double const volume = o.box[0] * o.box[1] * o.box[2] * fullness_of(o),
               ball = 4 * pi<double> / 3 * cutoff * cutoff * cutoff / volume;
  double inside = 1;
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(o.periodicity, int(d))) inside *= share_inside(cutoff / o.box[d]);
  // Clusters are assumed to lie away from the faces, so their extra pairs lose nothing.
  return sources * targets * ball * (inside + clustering - 1);
}

Work predict_work(EwaldOptions const& o, EwaldPlanning const& p, double degree, double sources, double targets,
                  Machine const& machine, double clustering, WorkConstants const& c) {
  EXPECTS(p.cutoff > 0 && p.window_points > 0, p.cutoff, p.window_points);
  double const pairs = count_pairs(o, p.cutoff, sources, targets, clustering);
  // As many targets as sources: as a rule they are the same points, and pairs are summed for both at once.
  double const summed = pairs * evaluated * (sources == targets ? mutual_pair / 2 : 1);
  KernelDescription const& kernel = describe(o.kernel, o.outputs);
  int const in = kernel.forward, out = kernel.inverse;
  EwaldPlanning whole = p;
  whole.columns = 1;  // with the modes beyond the band, as in the measurements
  Grid const grid = make_grid(o, whole);
  bool const single = p.far_in_single;
  double const window = window_numbers(p.window_points, single ? 2 * machine.lanes : machine.lanes);
  auto const far = [&](WorkRow row, double reference) { return machine.seconds_of(row, reference, single); };
  Work work;
  work.pairs = machine.seconds_of(WorkRow::p2p,
                                  c.per_target * targets + summed * (c.per_quad * quads_of_pair(kernel) +
                                                                     c.per_degree * kernel.near_polynomials * degree));
  bool const pairs_in_single = p.near_in_single || machine.number_bytes == sizeof(float);
  double const gpu_pair = c.per_gpu_pair + c.per_flop * (2 * degree * kernel.near_polynomials + kernel.near_flops),
               in_double = pairs_in_single ? 1 : gpu_pairs_in_double;
  work.pairs.gpu = machine.seconds_of(WorkRow::p2p, c.per_gpu_target * targets + in_double * pairs * gpu_pair).gpu;
  work.points =
      machine.seconds_of(WorkRow::points, c.per_number * (sources * kernel.strengths + targets * kernel.results));
  work.spread = far(WorkRow::p2g, sources * (c.per_spread_point + c.per_spread * in * window) +
                                      c.per_slab_number * in * grid.layout.size[0] * double(grid.layout.plane_size()));
  work.gather = far(WorkRow::g2p, targets * (c.per_gathered_point + gather_seconds(kernel, c) * window));
  work.spread.gpu = far(WorkRow::p2g, sources * gpu_spread_seconds(kernel, p.window_points, c)).gpu;
  work.gather.gpu = far(WorkRow::g2p, targets * gpu_gather_seconds(kernel, p.window_points, c)).gpu;
  work.planes = far(WorkRow::fft, c.per_plane_mode * (in + out) * plane_points(grid.layout));
  work.planes.gpu *=
      0.5 * (gpu_length_cost(grid.layout.padding[0].size[1]) + gpu_length_cost(grid.layout.row_transform()));
  work.columns = far(WorkRow::scale, (p.influence_table ? c.per_column_mode_of_table : c.per_column_mode) * 0.5 *
                                         (in + out) * column_points(grid.layout));
  if (p.influence_table)
    work.table = machine.seconds_of(WorkRow::scale, c.per_table_point * table_points(o, p)).cpu / solves_of_table;
  work.communication = communication_seconds(predict_communication(o, p, sources, machine), machine);
  work.targets = targets;
  return work;
}

bool sums_several(KernelDescription const& kernel) {
  bool found = false;
#define NEARFAR_SUMMED(symbol_of_kernel, K) found = found || symbol_of_kernel == K::symbol;
  NEARFAR_SEVERAL_KERNELS(NEARFAR_SUMMED, kernel.symbol)
#undef NEARFAR_SUMMED
  return found;
}

double pairs_of_each(KernelDescription const& kernel, int vectors, WorkConstants const& c) {
  if (!sums_several(kernel)) return 1;
  double all = 0;
  for (int left = vectors; left > 0; left -= vectors_together(left))
    all += c.shared_of_pair + vectors_together(left) * (1 - c.shared_of_pair);
  return all / vectors;
}

double gpu_tasks(Work const& work, Machine const& machine) noexcept {
  if (machine.all_on_gpus(work.targets)) return machine.gpus;
  constexpr double length = 1e-3;  // seconds of a task
  return std::clamp(work.pairs.gpu / length, 1.0 * machine.cpus, 4.0 * machine.cpus);
}

double near_gpu_seconds(Work const& work, Machine const& machine) noexcept {
  return machine.gpus > 0 && work.pairs.gpu > 0 ? work.pairs.gpu + gpu_task * gpu_tasks(work, machine) : 0;
}

double far_gpu_seconds(Work const& work, Machine const& machine) noexcept {
  return machine.gpus > 0 ? far_gpu_stages * gpu_task + work.points.gpu + work.spread.gpu + work.planes.gpu +
                                work.columns.gpu + work.gather.gpu
                          : 0;
}

double cost_of(Work const& work, Machine const& machine) {
  double const workers = std::max(1, machine.cpus), chain = work.communication > 0 ? work.points.cpu + work.far() : 0;
  double const with_communication = chain + workers * work.communication, near_gpu = near_gpu_seconds(work, machine);
  auto const solve = [&] {
    if (machine.gpus <= 0) return std::max(work.total(), with_communication);
    if (machine.all_on_gpus(work.targets)) {
      double const far_gpu = far_gpu_seconds(work, machine) / machine.gpus;
      return workers * (far_gpu + std::max(near_gpu / machine.gpus, work.communication));
    }
    return std::max(workers * machine.seconds(work.pairs.cpu, work.points.cpu, work.far(), near_gpu),
                    with_communication);
  };
  return solve() + work.table;
}

}  // namespace nearfar

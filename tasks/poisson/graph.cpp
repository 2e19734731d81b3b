// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/poisson/graph.hpp"

#include "codelets/spectral/green/cosine.hpp"
#include "codelets/spectral/green/green.hpp"
#include "codelets/spectral/pad/pad_body.hpp"
#include "core/spectral/mode_operators.hpp"
#include "tasks/spectral/costs.hpp"

#include <algorithm>
#include <cmath>
#include <starpu.h>

namespace nearfar::detail {

namespace {

// Bounds on tasks: there are as many tiles as slabs times groups of columns, each with a handle.
constexpr double max_tasks = 64, max_green_tasks = 256;

/// Flops of one plane's transforms; evaluating the kernel at one point counts as 60.
double plane_flops(GreenFunction const& g) {
  double const y = g.axis[1].samples(), z = g.axis[2].samples();
  return y * z * (60 + 2.5 * std::log2(y * z));
}
double column_flops(GreenFunction const& g) {
  double const x = g.axis[0].samples();
  return 5 * x * std::log2(x);
}

/// Whether a slab may have some of a rank's cells. Our planes are the caller's planes along x, or cross all of them.
bool has_cells(PoissonGrid const& grid, SpectralLayout const& layout, int slab, PoissonResults const& of) {
  if (grid.axes[0] != 0) return true;
  CallersCells const cells(grid);
  for (int i = 0; i < layout.planes(slab); ++i)
    if (auto const at = cells(0, layout.first_plane(slab) + i).at; at >= of.begin && at < of.end) return true;
  return false;
}

}  // namespace

template <class T>
void build_poisson_graph(Graph& graph, PoissonJob<T> const& job) {
  auto const& [grid, transform, space, table, density, results, field, on_gpus] = job;
  if (on_gpus) graph.keep_to_gpus();
  SpectralLayout const& layout = transform.layout();
  auto const copied = [&](int s) { return double(layout.planes(s)) * double(layout.plane_size()); };

  for (int s = 0; s < layout.slabs; ++s)
    graph.insert<Pad<T>>({layout, grid, s}, {s, copied(s)}, read(density), write(space.slabs[std::size_t(s)]));

  auto const slabs = space.slab_handles();
  if (field) transform.insert(graph, PotentialAndFieldOperator<T>{}, table, slabs, space.tiles, slabs);
  else transform.insert(graph, PotentialOperator<T>{}, table, slabs, space.tiles, slabs);

  for (PoissonResults const& to : results)
    for (int s = 0; s < layout.slabs; ++s) {
      if (!has_cells(grid, layout, s, to)) continue;
      graph.insert<Restrict<T>>({layout, grid, s, 0, 1, to.begin, to.end}, {s, copied(s), to.rank},
                                read(space.slabs[std::size_t(s)]), write(to.potential->of(std::size_t(s))));
      if (field)
        graph.insert<Restrict<T>>({layout, grid, s, 1, 3, to.begin, to.end}, {s, 3 * copied(s), to.rank},
                                  read(space.slabs[std::size_t(s)]), write(to.field->of(std::size_t(s))));
    }
}

GreenSetup::GreenSetup(GreenFunction const& green)
    : shared(shared_terms(green)), terms(Data::constant("green terms", shared.data(), std::int64_t(shared.size()))),
      work(Data::temporary<double>("green scratch", green_scratch(green))) {}

template <class T>
void build_green_graph(Graph& graph, GreenFunction const& green, GreenSetup const& setup, Arena<T> const& memory,
                       Handle table, bool on_gpu) {
  if (on_gpu) graph.keep_to_gpus();
  int const samples = green.axis[0].samples(), workers = std::max(1, int(starpu_cpu_worker_get_count()));
  std::int64_t const plane = green_plane(green), batches = (plane + column_batch - 1) / column_batch;
  std::vector<SolveData> planes;
  int const slabs = on_gpu ? 1 : task_count(samples * plane_flops(green), workers, max_green_tasks, samples);
  for (int s = 0; s < slabs; ++s) {
    int const first = int(std::int64_t(s) * samples / slabs),
              count = int(std::int64_t(s + 1) * samples / slabs) - first;
    planes.push_back(SolveData::temporary<double>("green planes", count * plane));
    graph.insert<GreenPlanes>({green, first, count}, {s, count * plane_flops(green)}, read(setup.terms),
                              scratch(setup.work), write(planes.back()));
  }
  double const factor =
      1.0 / (double(green.axis[0].transform()) * green.axis[1].transform() * green.axis[2].transform());
  int const groups = on_gpu ? 1 : task_count(double(plane) * column_flops(green), workers, max_green_tasks, batches);
  // In a single memory, tasks that write different rows need not take turns: each gets its own handle of the same
  // array.
  bool const one_memory = runs_in_one_memory(codelet_of<GreenColumns<T>>(), !on_gpu);
  std::vector<SolveData> rows;
  for (int g = 0; g < groups && one_memory; ++g)
    rows.push_back(SolveData::over("green rows", memory.data(), std::int64_t(memory.size())));
  auto const turn = [&] {
    graph.insert<GreenTurn>({}, {0, 1}, read_write(table), read_write(std::vector<Handle>(rows.begin(), rows.end())));
  };
  if (!rows.empty()) turn();
  for (int g = 0; g < groups; ++g) {
    std::int64_t const first = g * batches / groups * column_batch;
    std::int64_t const count = std::min(plane, (g + 1) * batches / groups * column_batch) - first;
    WriteRows const own = one_memory ? WriteRows{rows[std::size_t(g)]} : WriteRows{table, groups > 1};
    graph.insert<GreenColumns<T>>({green, first, count, factor}, {g, double(count) * column_flops(green)},
                                  read(std::vector<Handle>(planes.begin(), planes.end())), scratch(setup.work),
                                  write(own));
  }
  if (!rows.empty()) turn();
}

SpectralLayout poisson_layout(PoissonGrid const& grid, int components, int workers, int gpus) {
  std::array<int, 3> transform = grid.size;
  for (std::size_t d = 0; d < 3; ++d)
    if (!grid.periodic[d]) transform[d] *= 2;
  SpectralLayout layout = plain_layout(grid.edge, grid.size, grid.open(), transform);
  if (gpus > 0) {
    layout.slabs = layout.columns = std::min(gpus, layout.size[0]);
    return layout;
  }
  layout.slabs = task_count(plane_flops(layout, 0, components), workers, max_tasks, layout.size[0]);
  layout.columns = task_count(column_flops(layout, 0, components + 1), workers, max_tasks, layout.column_count());
  return layout;
}

std::size_t green_setup_bytes(GreenFunction const& green, int workers) {
  return sizeof(double) * (std::size_t(green.axis[0].samples()) * std::size_t(green_plane(green)) +
                           std::size_t(workers) * std::size_t(green_scratch(green)));
}

#define NEARFAR_INSTANTIATE(T)                                        \
  template void build_poisson_graph<T>(Graph&, PoissonJob<T> const&); \
  template void build_green_graph<T>(Graph&, GreenFunction const&, GreenSetup const&, Arena<T> const&, Handle, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

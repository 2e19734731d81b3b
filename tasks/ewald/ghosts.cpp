// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/ghosts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace nearfar::detail {

namespace {

/// These planes as one run or two; none if they are more, or so many that packing does not pay.
std::optional<GhostArgs> runs_of(std::vector<char> const& needed, std::int64_t plane, int components) {
  GhostArgs args{plane, int(needed.size()), components, {}, {}};
  int runs = 0;
  for (std::size_t p = 0; p < needed.size(); ++p) {
    if (needed[p] == 0) continue;
    if (p == 0 || needed[p - 1] == 0) {
      if (runs == 2) return {};
      args.first[runs++] = int(p);
    }
    ++args.count[runs - 1];
  }
  if (2 * args.packed() > int(needed.size())) return {};
  return args;
}

}  // namespace

template <class T>
std::vector<GhostPlanes> ghost_planes(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  if (!points.all_on_gpus() || setup.owners().count == 1) return {};
  Grid const& grid = setup.grid;
  SpectralLayout const& layout = grid.layout;
  std::map<std::pair<int, int>, std::vector<char>> needed;  // by slab and GPU, which planes
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    int const x = block_at(setup.cells, points.chunks()[i].block).at[0], gpu = points.owners().chunk[i];
    double const edge = setup.cells.cell_edge(0), scale = layout.scale(0), reach = 0.5 * grid.window;
    // As slabs_of_block has them (core/ewald/grid.hpp).
    int const first = int(std::floor(setup.cells.first_cell(0, x) * edge * scale + grid.offset[0] - reach)),
              last = int(std::ceil(setup.cells.first_cell(0, x + 1) * edge * scale + grid.offset[0] + reach));
    for (int p = first; p <= std::min(last, first + layout.size[0] - 1); ++p) {
      int const plane = wrap(p, layout.size[0]), slab = layout.slab_of(plane);
      if (setup.owners().of(slab, layout.slabs) == gpu) continue;
      auto& of_slab = needed[{slab, gpu}];
      of_slab.resize(std::size_t(layout.planes(slab)), 0);
      of_slab[std::size_t(plane - layout.first_plane(slab))] = 1;
    }
  }
  std::vector<GhostPlanes> ghosts;
  for (auto const& [where, planes] : needed)
    if (auto const args = runs_of(planes, layout.plane_size(), setup.kernel.inverse))
      ghosts.push_back({where.first, where.second, *args});
  return ghosts;
}

template std::vector<GhostPlanes> ghost_planes(EwaldSetup<double> const&, PointSet<double> const&);
template std::vector<GhostPlanes> ghost_planes(EwaldSetup<float> const&, PointSet<float> const&);

}  // namespace nearfar::detail

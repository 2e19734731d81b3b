// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/ghosts.hpp"

#include "codelets/spectral/p2g/tile_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace nearfar::detail {

namespace {

/// Which layers of an item a GPU reads: planes of a slab, or layers of a block's cells along x.
using Needed = std::map<std::pair<int, int>, std::vector<char>>;  // by item and GPU

/// These layers as one run or two of rows, layer l being rows first(l) to first(l + 1) - 1; none if they are more runs,
/// or so many rows that packing does not pay.
template <class First>
std::optional<GhostArgs> runs_of(std::vector<char> const& needed, First const& first) {
  GhostArgs args{1, first(int(needed.size())), 1, {}, {}};
  int runs = 0;
  for (std::size_t l = 0; l < needed.size(); ++l) {
    if (needed[l] == 0) continue;
    if (l == 0 || needed[l - 1] == 0) {
      if (runs == 2) return {};
      args.first[runs++] = first(int(l));
    }
    args.count[runs - 1] = first(int(l) + 1) - args.first[runs - 1];
  }
  if (args.packed() == 0) args.count[0] = 1;  // layers without points: something has to be sent instead of all
  if (2 * std::int64_t(args.packed()) > args.rows) return {};
  return args;
}

template <class T>
bool are_shared(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  return points.all_on_gpus() && setup.owners().count > 1;
}

/// Marks a layer of cells along x, by its unwrapped number, in the blocks of other GPUs that it crosses.
template <class T>
void need_layer(Needed& needed, PointSet<T> const& points, Cells const& cells, int layer, int gpu) {
  if (!cells.has(0, layer)) return;
  int const cell = wrap(layer, cells.count[0]), x = cells.block_of(0, cell);
  for (int y = 0; y < cells.blocks[1]; ++y)
    for (int z = 0; z < cells.blocks[2]; ++z) {
      int const b = block_number(cells, x, y, z);
      if (points.owners().block[std::size_t(b)] == gpu) continue;
      auto& of_block = needed[{b, gpu}];
      of_block.resize(std::size_t(cells.cells_in(0, x)), 0);
      of_block[std::size_t(cell - cells.first_cell(0, x))] = 1;
    }
}

/// The points in needed layers of cells.
template <class T>
std::vector<Ghost> points_of(Needed const& needed, PointSet<T> const& points) {
  std::vector<Ghost> ghosts;
  for (auto const& [where, layers] : needed) {
    int const block = where.first, count = int(layers.size());
    auto args = runs_of(layers, [&](int layer) { return points.sources().before_layer(block, layer, count); });
    if (!args) continue;
    args->rows = int(points.sources().stride(block));
    ghosts.push_back({block, where.second, *args});
  }
  return ghosts;
}

/// The layers of cells of a chunk of targets, the first and the last, in the box.
template <class T>
std::pair<int, int> layers_of(PointSet<T> const& points, Cells const& cells, TargetChunk const& chunk) {
  Block const block = block_at(cells, chunk.block);
  int const layers = cells.cells_in(0, block.at[0]);
  int first = 0, last = layers - 1;
  auto const of_layer = [&](int layer) { return points.targets().before_layer(chunk.block, layer, layers); };
  while (first < last && of_layer(first + 1) <= chunk.points.first) ++first;
  while (last > first && of_layer(last) >= chunk.points.last) --last;
  return {cells.first_cell(0, block.at[0]) + first, cells.first_cell(0, block.at[0]) + last};
}

}  // namespace

template <class T>
std::vector<Ghost> plane_ghosts(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  if (!are_shared(setup, points)) return {};
  Grid const& grid = setup.grid;
  SpectralLayout const& layout = grid.layout;
  Needed needed;
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
  std::vector<Ghost> ghosts;
  for (auto const& [where, planes] : needed)
    if (auto const args = runs_of(planes, [](int plane) { return plane; }))
      ghosts.push_back({where.first, where.second, *args});
  return ghosts;
}

template <class T>
std::vector<Ghost> near_ghosts(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  if (!are_shared(setup, points)) return {};
  Cells const& cells = setup.cells;
  Needed needed;
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    auto const [first, last] = layers_of(points, cells, points.chunks()[i]);
    int const from = first - cells.reach(0), to = std::min(last + cells.reach(0), from + cells.count[0] - 1);
    for (int layer = from; layer <= to; ++layer) need_layer(needed, points, cells, layer, points.owners().chunk[i]);
  }
  return points_of(needed, points);
}

template <class T>
std::vector<Ghost> spread_ghosts(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  if (!are_shared(setup, points)) return {};
  // GPUs walk through tiles of nodes (codelets/spectral/p2g), which may end beyond the slab; CPUs through all cells
  // whose points could reach a plane more. What none of them uses they must not find undefined: it might be no number.
  constexpr int tile = 8, more = 1;
  SpectralLayout const& layout = setup.grid.layout;
  Needed needed;
  for (int s = 0; s < layout.slabs; ++s) {
    int const planes = (layout.planes(s) + tile - 1) / tile * tile;
    CellSpan const span = cells_reaching(setup.grid, setup.cells, 0, layout.first_plane(s) - more, planes + 2 * more);
    for (int i = 0; i < span.count; ++i)
      need_layer(needed, points, setup.cells, span.first + i, setup.owners().of(s, layout.slabs));
  }
  return points_of(needed, points);
}

#define NEARFAR_INSTANTIATE(T)                                                        \
  template std::vector<Ghost> plane_ghosts(EwaldSetup<T> const&, PointSet<T> const&); \
  template std::vector<Ghost> near_ghosts(EwaldSetup<T> const&, PointSet<T> const&);  \
  template std::vector<Ghost> spread_ghosts(EwaldSetup<T> const&, PointSet<T> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

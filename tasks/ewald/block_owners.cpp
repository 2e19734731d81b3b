// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/block_owners.hpp"

#include "tasks/ewald/costs.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

template <class T>
std::vector<double> chunk_seconds(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  EwaldPlanning const& p = setup.parameters;
  double const blocks = setup.cells.block_count(), gather = p.last_seconds * blocks - p.point_seconds / 2;
  double pairs = 0;
  for (TargetChunk const& chunk : points.chunks()) pairs += chunk.pairs;
  double const each_pair = pairs > 0 ? (p.near_seconds - p.point_seconds) / pairs : 0,
               each_point = (p.point_seconds + gather) / double(points.targets().size());
  std::vector<double> seconds;
  for (TargetChunk const& chunk : points.chunks())
    seconds.push_back(chunk.pairs * each_pair + chunk.points.count() * each_point);
  return seconds;
}

/// Seconds on the grid for each run of slabs. Transforms cost the same for every slab.
template <class T>
std::vector<double> grid_seconds(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  EwaldPlanning const& p = setup.parameters;
  EwaldCosts<T> const cost{setup, points};
  int const slabs = setup.grid.layout.slabs;
  std::vector<double> spread;
  double all = 0;
  for (int s = 0; s < slabs; ++s) {
    spread.push_back(cost.p2g(s, blocks_of_slab(setup.grid, setup.cells, s)));
    all += spread.back();
  }
  double const blocks = setup.cells.block_count(), gather = p.last_seconds * blocks - p.point_seconds / 2;
  double const transforms = std::max(0.0, p.far_seconds - p.spread_seconds - gather);
  std::vector<double> seconds(std::size_t(setup.owners().count), 0);
  for (int s = 0; s < slabs; ++s)
    seconds[std::size_t(Owners{setup.owners().count}.of(s, slabs))] +=
        transforms / slabs + (all > 0 ? p.spread_seconds * spread[std::size_t(s)] / all : 0);
  return seconds;
}

/// Which ranks need the positions of which blocks: the owner of a block sorts its strengths, the targets of a chunk
/// read the sources around them, and spreading to a slab reads the blocks beside it.
template <class T>
void add_holders(BlockOwners& owners, EwaldSetup<T> const& setup, PointSet<T> const& points) {
  Cells const& cells = setup.cells;
  auto const blocks = std::size_t(cells.block_count());
  owners.holders.resize(blocks);
  owners.target_holders.resize(blocks);
  for (std::size_t b = 0; b < blocks; ++b) owners.holders[b].push_back(owners.block[b]);
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    int const block = points.chunks()[i].block, rank = owners.chunk[i];
    owners.target_holders[std::size_t(block)].push_back(rank);
    Neighbours const around = neighbours(cells, block_at(cells, block));
    for (int n = 0; n < around.count(); ++n) owners.holders[std::size_t(around.block(cells, n))].push_back(rank);
  }
  int const slabs = setup.grid.layout.slabs;
  for (int s = 0; s < slabs; ++s) {
    CyclicRange const beside = blocks_of_slab(setup.grid, cells, s);
    for (int x = 0; x < beside.count; ++x)
      for (int y = 0; y < cells.blocks[1]; ++y)
        for (int z = 0; z < cells.blocks[2]; ++z)
          owners.holders[std::size_t(block_number(cells, beside.item(x), y, z))].push_back(setup.owners().of(s, slabs));
  }
  for (auto* const all : {&owners.holders, &owners.target_holders})
    for (auto& of_block : *all) {
      std::ranges::sort(of_block);
      of_block.erase(std::unique(of_block.begin(), of_block.end()), of_block.end());  // not of ranges: clang 14
    }
}

}  // namespace

template <class T>
RankWork rank_work(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  return {chunk_seconds(setup, points), grid_seconds(setup, points)};
}

namespace {

/// With a halo, blocks belong to the owner of the run of blocks that they lie in; otherwise they are shared by cost.
template <class T>
std::vector<int> chunk_owners(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  if (setup.cells.halo == 0) {
    RankWork const work = rank_work(setup, points);
    auto owners = equal_pieces(work.chunk, work.grid);
    for (int& owner : owners) owner = setup.owners().of_run(owner);
    return owners;
  }
  std::vector<int> owners;
  for (TargetChunk const& chunk : points.chunks())
    owners.push_back(setup.owners().of(block_at(setup.cells, chunk.block).at[0], setup.cells.blocks[0]));
  return owners;
}

}  // namespace

template <class T>
BlockOwners block_owners(EwaldSetup<T> const& setup, PointSet<T> const& points) {
  auto const& chunks = points.chunks();
  auto const blocks = std::size_t(setup.cells.block_count());
  if (setup.owners().count == 1)
    return {std::vector<int>(blocks, everywhere), std::vector<int>(chunks.size(), everywhere), {}, {}};
  BlockOwners owners{{}, chunk_owners(setup, points), {}, {}};
  std::size_t next = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    bool const has = next < chunks.size() && chunks[next].block == int(b);
    owners.block.push_back(owners.chunk[has || next == 0 ? next : next - 1]);
    while (next < chunks.size() && chunks[next].block == int(b)) ++next;
  }
  add_holders(owners, setup, points);
  return owners;
}

template <class T>
int first_owner(Ranks const& ranks, Frame const& frame, std::span<T const> sources) {
  constexpr std::size_t samples = 4096;
  int const count = ranks.count();
  std::size_t const points = sources.size() / 3, step = points / samples + 1;
  std::vector<long double> there(std::size_t(count) + 1, 0);  // points in place for each choice; and all
  for (std::size_t i = 0; i < points; i += step) {
    T x[3];
    if (!place_point(frame, &sources[3 * i], x)) continue;  // the rank that sorts it reports the error
    int const run = std::min(int(double(x[0]) / frame.cells.edge[0] * count), count - 1);
    there[std::size_t((ranks.rank() - run + count) % count)] += step;
    there.back() += step;
  }
  ranks.sum(there);
  auto const best = std::max_element(there.begin(), there.end() - 1);
  return 2 * *best > there.back() ? int(best - there.begin()) : 0;
}

#define NEARFAR_INSTANTIATE(T)                                                 \
  template RankWork rank_work(EwaldSetup<T> const&, PointSet<T> const&);       \
  template BlockOwners block_owners(EwaldSetup<T> const&, PointSet<T> const&); \
  template int first_owner(Ranks const&, Frame const&, std::span<T const>);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

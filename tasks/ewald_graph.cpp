// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald_graph.hpp"

#include "codelets/bin/bin.hpp"
#include "codelets/collect/collect.hpp"
#include "codelets/fft/fft.hpp"
#include "codelets/g2p/g2p.hpp"
#include "codelets/merge/merge.hpp"
#include "codelets/moment/moment.hpp"
#include "codelets/p2g/p2g.hpp"
#include "codelets/p2p/p2p.hpp"
#include "codelets/scale/scale.hpp"
#include "core/constants.hpp"
#include "core/kernel_layers.hpp"
#include "core/near_record.hpp"
#include "tasks/ewald_costs.hpp"

namespace nearfar::detail {

namespace {

/// Rough positions, cell offsets and records of the blocks around one, as P2P reads them.
template <class T>
std::vector<Handle> blocks_around(EwaldJob<T> const& job, Neighbours const& n) {
  auto const& points = job.points.sources();
  std::vector<Handle> handles;
  for (int i = 0; i < n.count(); ++i) {
    int const b = n.block(job.setup.cells, i);
    handles.insert(handles.end(), {points.rough_position(b), points.offset(b), job.record[std::size_t(b)]});
  }
  return handles;
}

/// Positions, cell offsets and strengths of the blocks beside a slab, as P2G reads them.
template <class T>
std::vector<Handle> blocks_beside(EwaldJob<T> const& job, CyclicRange const& along_x) {
  Cells const& cells = job.setup.cells;
  auto const& points = job.points.sources();
  std::vector<Handle> handles;
  for (int x = 0; x < along_x.count; ++x)
    for (int y = 0; y < cells.blocks[1]; ++y)
      for (int z = 0; z < cells.blocks[2]; ++z) {
        int const b = block_number(cells, along_x.item(x), y, z);
        handles.insert(handles.end(), {points.position(b), points.offset(b), job.strength_block[std::size_t(b)]});
      }
  return handles;
}

/// Whose P2P task found it.
struct FoundFor {
  int from;
  Handle rows;
};
template <class T>
std::vector<std::vector<FoundFor>> reactions_of_blocks(EwaldJob<T> const& job) {
  std::vector<std::vector<FoundFor>> found(std::size_t(job.setup.cells.block_count()));
  for (std::size_t i = 0; i < job.reactions.size(); ++i)
    for (Reaction const& r : job.reactions[i])
      found[std::size_t(r.block)].push_back({job.points.shares()[i].block, r.rows});
  return found;
}

std::vector<Handle> slabs(Lane const& lane, CyclicRange const& range) {
  std::vector<Handle> handles;
  for (int i = 0; i < range.count; ++i) handles.push_back(lane.slab(range.item(i)));
  return handles;
}

std::vector<Handle> tiles_of_slab(Lane const& lane, Grid const& grid, int slab) {
  std::vector<Handle> handles;
  for (int group = 0; group < grid.columns; ++group) handles.push_back(lane.tile(slab, group));
  return handles;
}

std::vector<Handle> tiles_of_group(Lane const& lane, Grid const& grid, int group) {
  std::vector<Handle> handles;
  for (int slab = 0; slab < grid.slabs; ++slab) handles.push_back(lane.tile(slab, group));
  return handles;
}

}  // namespace

template <class T, Kernel K, bool Gradient>
void build_ewald_graph(Graph& graph, EwaldJob<T>& job) {
  auto const& [setup, lane, points, part, near_first, strengths, result, strength_block, record, near, far, reactions,
               moment, moments] = job;
  Cells const& cells = setup.cells;
  Grid const& grid = setup.grid;
  auto const& sources = points.sources();
  auto const& targets = points.targets();
  auto const& shares = points.shares();
  int const blocks = cells.block_count(), results = result_components(K, Gradient);
  // On the grid, all double layers are alike, and all velocities.
  constexpr Kernel spread = has_double_layer(K) ? Kernel::stokes : K;
  constexpr int forces = has_single_layer(K) ? 3 : 0;
  constexpr Kernel gathered = K == Kernel::laplace ? K : Kernel::stokeslet;
  Axes const axes = setup.axes;
  EwaldCosts<T> const cost{setup, points};

  for (int b = 0; b < blocks; ++b)
    graph.insert<Bin<T>>({setup.strengths, row_columns(axes, setup.strengths)}, {b, cost.bin(b)}, read(strengths),
                         read(sources.index(b)), read(sources.offset(b)), read(sources.position(b)),
                         write(strength_block[std::size_t(b)]), write(std::vector<Handle>{record[std::size_t(b)]}));

  auto const far_part = [&] {
    for (int s = 0; s < grid.slabs; ++s) {
      CyclicRange const beside = blocks_of_slab(grid, cells, s);
      graph.insert<P2G<T, has_double_layer(K)>>({grid, cells, s, beside, setup.forward, forces},
                                                {s, cost.p2g(s, beside)}, read(setup.tables),
                                                read(blocks_beside(job, beside)), write(lane.slab(s)));
    }
    for (int s = 0; s < grid.slabs; ++s)
      graph.insert<Fft<T>>({grid, s, setup.forward}, {s, cost.plane_fft(s, setup.forward)}, read(lane.slab(s)),
                           scratch(setup.plane_scratch), write(tiles_of_slab(lane, grid, s)));

    for (int c = 0; c < grid.columns; ++c)
      graph.insert<Scale<T, spread>>({grid, c}, {c, cost.scale(c)}, read(setup.tables), read(setup.multipliers),
                                     scratch(setup.column_scratch), read_write(tiles_of_group(lane, grid, c)));

    for (int s = 0; s < grid.slabs; ++s)
      graph.insert<Ifft<T>>({grid, s, setup.inverse}, {s, cost.plane_fft(s, setup.inverse)},
                            read(tiles_of_slab(lane, grid, s)), scratch(setup.plane_scratch), write(lane.slab(s)));

    for (std::size_t i = 0; i < shares.size(); ++i) {
      auto const& share = shares[i];
      CyclicRange const touched = slabs_of_block(grid, cells, block_at(cells, share.block));
      graph.insert<G2P<T, gathered, Gradient>>({grid, touched, share.points}, {share.block, cost.g2p(share)},
                                               read(setup.tables), read(targets.position(share.block)),
                                               read(slabs(lane, touched)), write(far[i]));
    }
  };
  auto const near_part = [&] {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      auto const& share = shares[i];
      Block const block = block_at(cells, share.block);
      Neighbours const around = neighbours(cells, block);
      int const own = points.same() ? around.place(block.at[0], block.at[1], block.at[2]) : -1;
      bool const once = !reactions.empty();
      std::vector<Handle> found;
      if (once)
        for (Reaction const& r : reactions[i]) found.push_back(r.rows);
      graph.insert<P2P<T, K, Gradient>>({cells, block, share.points, around, own, once}, {share.block, cost.p2p(share)},
                                        read(setup.tables), read(targets.position(share.block)),
                                        read(targets.offset(share.block)), read(blocks_around(job, around)),
                                        write(near[i]), write(std::move(found)));
    }
    auto const found_for = reactions_of_blocks(job);
    for (std::size_t i = 0; i < shares.size() && !reactions.empty(); ++i) {
      auto const& share = shares[i];
      auto const& all = found_for[std::size_t(share.block)];
      for (std::size_t first = 0; first < all.size(); first += most_reactions) {
        CollectArgs args{cells, block_at(cells, share.block), share.points, result_row(results), {}};
        std::vector<Handle> found;
        for (std::size_t r = first; r < std::min(all.size(), first + most_reactions); ++r) {
          args.from[r - first] = block_at(cells, all[r].from);
          found.push_back(all[r].rows);
        }
        graph.insert<Collect<T>>(args, {share.block, cost.collect(share)}, read(targets.offset(share.block)),
                                 read(std::move(found)), read_write(near[i]));
      }
    }
  };

  // GPUs have nothing else to do: they begin while the far part is submitted.
  if (part != Part::far && near_first) near_part();
  if (part != Part::near) far_part();
  if (part != Part::far && !near_first) near_part();

  bool const zero_mode = setup.zero_face_flux && part != Part::near;
  if (zero_mode) {
    for (int b = 0; b < blocks; ++b)
      graph.insert<Moment<T>>({forces}, {b, cost.moment(b)}, read(sources.given_position(b)), read(sources.offset(b)),
                              read(strength_block[std::size_t(b)]), write(moment[std::size_t(b)]));
    double const volume = cells.edge[0] * cells.edge[1] * cells.edge[2];
    graph.insert<MomentSum>({-8 * pi<double> / volume}, {0, double(moment_size) * blocks},
                            read(std::vector<Handle>(moment.begin(), moment.end())), write(moments));
  }

  for (std::size_t i = 0; i < shares.size(); ++i) {
    auto const& share = shares[i];
    std::vector<Handle> parts;
    if (part != Part::far) parts.push_back(near[i]);
    if (part != Part::near) parts.push_back(far[i]);
    std::vector<Handle> linear;
    if (zero_mode) linear = {moments, targets.given_position(share.block)};
    int const near_row = part == Part::far ? 0 : result_row(results);
    graph.insert<Merge<T>>({results, row_columns(axes, results), share.points, near_row},
                           {share.block, cost.merge(share)}, read(parts), read(linear),
                           read(targets.index(share.block)), scatter(result));
  }
}

#define NEARFAR_INSTANTIATE(T)                                                        \
  template void build_ewald_graph<T, Kernel::stokeslet, false>(Graph&, EwaldJob<T>&); \
  template void build_ewald_graph<T, Kernel::stresslet, false>(Graph&, EwaldJob<T>&); \
  template void build_ewald_graph<T, Kernel::stokes, false>(Graph&, EwaldJob<T>&);    \
  template void build_ewald_graph<T, Kernel::laplace, false>(Graph&, EwaldJob<T>&);   \
  template void build_ewald_graph<T, Kernel::laplace, true>(Graph&, EwaldJob<T>&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

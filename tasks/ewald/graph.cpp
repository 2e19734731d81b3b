// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/graph.hpp"

#include "codelets/near/reduce/reduce.hpp"
#include "codelets/points/bin/bin.hpp"
#include "codelets/points/merge/merge.hpp"
#include "codelets/points/moment/moment.hpp"
#include "core/kernels/pairs/packed_source.hpp"
#include "core/math/constants.hpp"
#include "tasks/ewald/costs.hpp"
#include "tasks/ewald/ghost_data.hpp"
#include "tasks/ewald/ghosts.hpp"
#include "tasks/ewald/stages.hpp"

#include <utility>

namespace nearfar::detail {

namespace {

/// Blocks and slabs as GPUs read those of others.
struct Ghosts {
  GhostData packed, strengths, planes;
};

/// The blocks around one, as P2P on a GPU reads them.
template <class T>
std::vector<Neighbour> blocks_around(EwaldJob<T> const& job, Ghosts const& ghosts, Neighbours const& n, int gpu) {
  auto const& points = job.points.sources();
  std::vector<Neighbour> around;
  for (int i = 0; i < n.count(); ++i) {
    int const b = n.block(job.setup.cells, i);
    around.push_back(
        {points.rough_position(b), points.offset(b), ghosts.packed.of(b, gpu, job.near->packed[std::size_t(b)])});
  }
  return around;
}

/// The blocks beside a slab, as P2G on a GPU reads them.
template <class T>
std::vector<SpreadBlock> blocks_beside(EwaldJob<T> const& job, Ghosts const& ghosts, CyclicRange const& along_x,
                                       int gpu) {
  Cells const& cells = job.setup.cells;
  auto const& points = job.points.sources();
  std::vector<SpreadBlock> beside;
  for (int x = 0; x < along_x.count; ++x)
    for (int y = 0; y < cells.blocks[1]; ++y)
      for (int z = 0; z < cells.blocks[2]; ++z) {
        int const b = block_number(cells, along_x.item(x), y, z);
        beside.push_back(
            {points.position(b), points.offset(b), ghosts.strengths.of(b, gpu, job.strength_block[std::size_t(b)])});
      }
  return beside;
}

/// Mutual contributions to a block: the block of the chunk whose P2P task wrote them.
struct FoundFor {
  int from;
  Handle rows;
};

/// For each block, the mutual contributions that other blocks' P2P tasks write for it.
template <class T>
std::vector<std::vector<FoundFor>> mutual_of_blocks(EwaldJob<T> const& job) {
  std::vector<std::vector<FoundFor>> found(std::size_t(job.setup.cells.block_count()));
  for (std::size_t i = 0; i < job.near->mutual.size(); ++i)
    for (MutualContribution const& r : job.near->mutual[i])
      found[std::size_t(r.block)].push_back({job.points.chunks()[i].block, r.rows});
  return found;
}

/// Mutual contributions that the P2P task of a chunk writes for other blocks.
template <class T>
std::vector<Handle> mutual_rows(EwaldJob<T> const& job, std::size_t chunk) {
  std::vector<Handle> handles;
  if (!job.near->mutual.empty())
    for (MutualContribution const& r : job.near->mutual[chunk]) handles.push_back(r.rows);
  return handles;
}

std::vector<Handle> rows_of(std::span<FoundFor const> found) {
  std::vector<Handle> handles;
  for (FoundFor const& f : found) handles.push_back(f.rows);
  return handles;
}

ReduceArgs reduce_args(Cells const& cells, TargetChunk const& chunk, int row, std::span<FoundFor const> found) {
  ReduceArgs args{cells, block_at(cells, chunk.block), chunk.points, row, {}};
  for (std::size_t i = 0; i < found.size(); ++i) args.from[i] = block_at(cells, found[i].from);
  return args;
}

/// bin: strengths in the order of the blocks, alone and with positions.
template <class T>
void build_binning(Graph& graph, EwaldJob<T> const& job, EwaldCosts<T> const& cost) {
  EwaldSetup<T> const& setup = job.setup;
  auto const& sources = job.points.sources();
  RowColumns const columns = row_columns(setup.axes, setup.kernel.strength_fields);
  auto const owner = [&](int b) { return job.points.owners().block[std::size_t(b)]; };
  for (int b = 0; b < setup.cells.block_count(); ++b) {
    auto const i = std::size_t(b);
    auto const insert = [&]<class S>(S, auto const& packed) {
      graph.insert<S>({setup.kernel.strengths,
                       columns,
                       setup.kernel.unit.strengths,
                       setup.parameters.near_in_single,
                       setup.parameters.far_in_single,
                       job.solve->strengths.cut(owner(b)),
                       job.vector,
                       {job.in_near, job.near->vectors}},
                      {b, cost.bin(b), owner(b), job.points.owners().is_sent(b)},
                      read(job.solve->strengths_and_units(owner(b))), read(job.solve->strengths.rows(job.points, b)),
                      read(sources.offset(b)), read(sources.near_position(b)), write(job.strength_block[i]), packed);
    };
    std::vector<Handle> const packed{job.near->packed[i]};
    if (job.in_near == 0) insert(Bin<T>(), write(packed));
    else insert(BinMore<T>(), read_write(packed));
  }
}

/// For each slab, whether G2P on another rank reads it.
template <class T>
std::vector<bool> sent_slabs(EwaldJob<T> const& job) {
  SpectralLayout const& layout = job.setup.grid.layout;
  std::vector<bool> sent(std::size_t(layout.slabs));
  for (std::size_t i = 0; i < job.points.chunks().size(); ++i) {
    Block const block = block_at(job.setup.cells, job.points.chunks()[i].block);
    CyclicRange const touched = slabs_of_block(job.setup.grid, job.setup.cells, block);
    for (int k = 0; k < touched.count; ++k)
      if (int const s = touched.item(k); job.setup.owners().of(s, layout.slabs) != job.points.owners().chunk[i])
        sent[std::size_t(s)] = true;
  }
  return sent;
}

/// pack -> put, for P2P and P2G on GPUs that read blocks of others
template <class T>
void build_block_ghosts(Graph& graph, EwaldJob<T> const& job, Ghosts& ghosts) {
  EwaldSetup<T> const& setup = job.setup;
  int const strengths = setup.kernel.strengths;
  auto const owner = [&](Ghost const& g) { return job.points.owners().block[std::size_t(g.item)]; };
  auto const send_strengths = [&]<class A>(A) {
    for (Ghost const& g : spread_ghosts(setup, job.points))
      ghosts.strengths.send<A, Bin<A>>(graph, g.item, g.gpu, g.of(strengths), g.rows.packed(), owner(g),
                                       job.strength_block[std::size_t(g.item)]);
  };
  auto const send_packed = [&]<class A>(A) {
    int const width = PackedSource<T, A>::width(job.near->vectors * strengths);
    for (Ghost const& g : near_ghosts(setup, job.points))
      ghosts.packed.send<A, Bin<A>>(graph, g.item, g.gpu, g.of(1, width), g.rows.packed(), owner(g),
                                    job.near->packed[std::size_t(g.item)]);
  };
  if (job.has_far()) setup.parameters.far_in_single ? send_strengths(float()) : send_strengths(T());
  if (job.has_near()) setup.parameters.near_in_single ? send_packed(float()) : send_packed(T());
}

/// Slabs as G2P on a GPU reads them.
template <class T>
std::vector<Handle> slabs_on(EwaldJob<T> const& job, GhostData const& ghosts, CyclicRange const& range, int gpu) {
  std::vector<Handle> handles;
  for (int i = 0; i < range.count; ++i) handles.push_back(ghosts.of(range.item(i), gpu, job.work.slab(range.item(i))));
  return handles;
}

/// p2g -> fft -> scale -> ifft -> g2p, in precision A.
template <class T, class A>
void build_far_part(Graph& graph, EwaldJob<T> const& job, FarSetup<A> const& far, EwaldCosts<T> const& cost,
                    Ghosts& ghosts) {
  constexpr bool double_positions = sizeof(T) > sizeof(A);
  EwaldSetup<T> const& setup = job.setup;
  FarStages<A> const stages = far_stages<A>(setup.kernel);
  PointSet<T> const& points = job.points;
  EwaldWorkspace const& work = job.work;
  Cells const& cells = setup.cells;
  Grid const& grid = setup.grid;

  for (int s = 0; s < grid.layout.slabs; ++s) {
    CyclicRange const beside = blocks_of_slab(grid, cells, s);
    stages.p2g(graph, {grid, cells, s, beside, setup.kernel.forward, setup.kernel.forces(), double_positions},
               {s, cost.p2g(s, beside)}, read(far.tables),
               read(blocks_beside(job, ghosts, beside, setup.owners().of(s, grid.layout.slabs))), write(work.slab(s)));
  }
  stages.transform(graph, far, setup.influence.has_value(), work, sent_slabs(job),
                   {job.solve->energy.of_modes.begin(), job.solve->energy.of_modes.end()});
  for (Ghost const& g : plane_ghosts(setup, points)) {
    GhostArgs const rows = g.of(setup.kernel.inverse, grid.layout.plane_size());
    ghosts.planes.send<A, Ifft<A>>(graph, g.item, g.gpu, rows, double(rows.numbers()),
                                   setup.owners().of(g.item, grid.layout.slabs), work.slab(g.item));
  }
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    TargetChunk const& chunk = points.chunks()[i];
    Block const block = block_at(cells, chunk.block);
    CyclicRange const touched = slabs_of_block(grid, cells, block);
    stages.g2p(
        graph, {grid, touched, chunk.points, cells, block, double_positions},
        {chunk.block, cost.g2p(chunk), points.owners().chunk[i], points.results_leave(i, points.owners().chunk[i])},
        read(far.tables), read(points.targets().position(chunk.block)), read(points.targets().offset(chunk.block)),
        read(slabs_on(job, ghosts.planes, touched, points.owners().chunk[i])), write(job.far[i]));
  }
}

/// Whether other ranks wait for what the P2P task of a chunk writes: its part of results, or mutual contributions.
template <class T>
bool is_sent(EwaldJob<T> const& job, std::size_t chunk) {
  auto const& owners = job.points.owners();
  int const rank = owners.chunk[chunk];
  if (job.points.results_leave(chunk, rank)) return true;
  return !job.near->mutual.empty() &&
         std::ranges::any_of(job.near->mutual[chunk], [&](MutualContribution const& found) {
           return owners.block[std::size_t(found.block)] != rank;
         });
}

/// p2p -> reduce
template <class T>
void build_near_part(Graph& graph, EwaldJob<T> const& job, EwaldCosts<T> const& cost, Ghosts const& ghosts) {
  auto const& targets = job.points.targets();
  auto const& chunks = job.points.chunks();
  Cells const& cells = job.setup.cells;
  bool const once = !job.near->mutual.empty();
  auto const p2p = near_stage<T>(job.setup.kernel, job.setup.parameters.near_in_single, job.near->vectors);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    TargetChunk const& chunk = chunks[i];
    Block const block = block_at(cells, chunk.block);
    Neighbours const around = neighbours(cells, block);
    int const own = job.points.same() ? around.place(block.at[0], block.at[1], block.at[2]) : -1;
    p2p(graph, {cells, block, chunk.points, around, own, once},
        {chunk.block, cost.p2p(chunk, job.near->vectors), job.points.owners().chunk[i], is_sent(job, i)},
        read(job.setup.tables), read(targets.near_position(chunk.block)), read(targets.offset(chunk.block)),
        read(blocks_around(job, ghosts, around, job.points.owners().chunk[i])), write(job.near->results[i]),
        write(mutual_rows(job, i)));
  }
  if (!once) return;
  auto const found_for = mutual_of_blocks(job);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    TargetChunk const& chunk = chunks[i];
    int const rank = job.points.owners().chunk[i];
    std::span<FoundFor const> rest(found_for[std::size_t(chunk.block)]);
    while (!rest.empty()) {
      auto const some = rest.first(std::min(rest.size(), std::size_t(max_contributions)));
      rest = rest.subspan(some.size());
      graph.insert<Reduce<T>>(reduce_args(cells, chunk, job.near->row, some),
                              {chunk.block, cost.reduce(chunk), rank, job.points.results_leave(i, rank)},
                              read(targets.offset(chunk.block)), read(rows_of(some)), read_write(job.near->results[i]));
    }
  }
}

/// moment -> moments: the mode k = 0 of a double layer.
template <class T>
void build_zero_mode(Graph& graph, EwaldJob<T> const& job, EwaldCosts<T> const& cost) {
  auto const& sources = job.points.sources();
  int const blocks = job.setup.cells.block_count();
  for (int b = 0; b < blocks; ++b) {
    auto const i = std::size_t(b);
    graph.insert<Moment<T>>({job.setup.kernel.forces(), job.setup.parameters.far_in_single},
                            {b, cost.moment(b), job.points.owners().block[i]}, read(sources.unwrapped_position(b)),
                            read(sources.offset(b)), read(job.strength_block[i]), write(job.moment[i]));
  }
  graph.insert<MomentSum>({-8 * pi<double> / job.setup.cells.volume()}, {0, double(moment_size) * blocks},
                          read(std::vector<Handle>(job.moment.begin(), job.moment.end())), write(job.moments));
}

/// images: for a virial, pairs of each chunk that meet across a periodic face.
template <class T>
void build_images(Graph& graph, EwaldJob<T> const& job, EwaldCosts<T> const& cost, Ghosts const& ghosts) {
  auto const& targets = job.points.targets();
  Cells const& cells = job.setup.cells;
  auto const images = image_stage<T>(job.setup.kernel, job.setup.parameters.near_in_single);
  for (std::size_t i = 0; i < job.points.chunks().size(); ++i) {
    TargetChunk const& chunk = job.points.chunks()[i];
    Block const block = block_at(cells, chunk.block);
    Neighbours const around = neighbours(cells, block);
    images(graph, {cells, block, chunk.points, around, around.place(block.at[0], block.at[1], block.at[2]), false},
           {chunk.block, cost.images(chunk), job.points.owners().chunk[i]}, read(job.setup.tables),
           read(targets.near_position(chunk.block)), read(targets.offset(chunk.block)),
           read(blocks_around(job, ghosts, around, job.points.owners().chunk[i])),
           write(job.solve->energy.of_images[i]));
  }
}

/// images, energy -> energies: what each chunk adds, in their order.
template <class T>
void build_energy(Graph& graph, EwaldJob<T> const& job, EwaldCosts<T> const& cost, Ghosts const& ghosts) {
  EwaldSetup<T> const& setup = job.setup;
  auto const& sources = job.points.sources();
  if (!job.solve->energy.of_images.empty()) build_images(graph, job, cost, ghosts);
  for (std::size_t i = 0; i < job.points.chunks().size(); ++i) {
    TargetChunk const& chunk = job.points.chunks()[i];
    EnergyArgs args{.chunk = chunk.points,
                    .components = setup.kernel.results,
                    .first_row = job.near->row,
                    .single_last = setup.parameters.far_in_single,
                    .single_strengths = setup.parameters.far_in_single,
                    .at = setup.kernel.energy,
                    .virial = setup.virial,
                    .near = true};
    for (int d = 0; d < setup.grid.layout.free; ++d) args.centre[d] = setup.cells.edge[d] / 2;
    graph.insert<Energy<T>>(args, {chunk.block, cost.energy(chunk), job.points.owners().chunk[i]},
                            read(std::vector<Handle>{job.near->results[i], job.far[i]}),
                            read(job.strength_block[std::size_t(chunk.block)]), read(sources.position(chunk.block)),
                            read(sources.near_position(chunk.block)), write(job.solve->energy.of_chunk[i]));
  }
  build_energies(graph, job.solve->energy, setup.kernel.energy, setup.axes, setup.grid.layout.free,
                 job.solve->units.units);
}

/// The merges of a vector: the parts of each chunk.
template <class T>
void add_merges(EwaldJob<T> const& job, EwaldCosts<T> const& cost, std::vector<RangeMerge>& merges) {
  KernelDescription const& kernel = job.setup.kernel;
  int const results = kernel.results;
  auto const& targets = job.points.targets();
  auto const& chunks = job.points.chunks();
  RowColumns const columns = row_columns(job.setup.axes, kernel.result_fields, job.setup.asked);
  int const near_row = job.has_near() ? job.near->row : 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    TargetChunk const& chunk = chunks[i];
    std::vector<Handle> parts, linear;
    if (job.has_near()) parts.push_back(job.near->results[i]);
    if (job.has_far()) parts.push_back(job.far[i]);
    if (job.has_zero_mode()) linear = {job.moments, targets.unwrapped_position(chunk.block)};
    bool const single_last = job.has_far() && job.setup.parameters.far_in_single;
    MergeArgs args{.components = results,
                   .columns = columns,
                   .chunk = chunk.points,
                   .first_row = near_row,
                   .results = kernel.result_shape,
                   .single_last = single_last,
                   .vector = job.vector,
                   .first_number = job.in_near * results};
    if (int const gradient = kernel.begin_of(Output::gradient); gradient >= 0) args.gradient = gradient;
    Label const label{chunk.block, cost.merge(chunk), job.points.owners().chunk[i]};
    merges.push_back({i, args, label, parts, linear, targets.index(chunk.block), job.solve->units.units});
  }
}

}  // namespace

template <class T>
void build_ewald_graph(Graph& graph, std::vector<EwaldJob<T>> const& vectors) {
  EwaldJob<T> const& first = vectors.front();
  EwaldCosts<T> const cost{first.setup, first.points};
  if (first.points.all_on_gpus()) graph.keep_to_gpus();
  build_opening(graph, *first.solve, first.setup.unit);
  std::vector<RangeMerge> merges;
  std::vector<Ghosts> ghosts(vectors.size());
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    EwaldJob<T> const& job = vectors[v];
    build_binning(graph, job, cost);
    build_block_ghosts(graph, job, ghosts[v]);
    // With the last of the vectors whose pairs are summed together.
    bool const near = job.has_near() && (v + 1 == vectors.size() || vectors[v + 1].near != job.near);
    // GPUs would idle otherwise: they begin with the near part while the far part is being submitted.
    bool const near_first = job.points.placement() == Placement::near_on_gpus;
    if (near && near_first) build_near_part(graph, job, cost, ghosts[v]);
    if (job.has_far())
      std::visit([&](auto const& far) { build_far_part(graph, job, far, cost, ghosts[v]); }, job.setup.far);
    if (near && !near_first) build_near_part(graph, job, cost, ghosts[v]);
    if (job.has_zero_mode()) build_zero_mode(graph, job, cost);
    if (job.solve->energy.any()) build_energy(graph, job, cost, ghosts[v]);
    add_merges(job, cost, merges);
  }
  insert_merges(graph, first.solve->results, merges);
}

template void build_ewald_graph(Graph&, std::vector<EwaldJob<double>> const&);
template void build_ewald_graph(Graph&, std::vector<EwaldJob<float>> const&);

}  // namespace nearfar::detail

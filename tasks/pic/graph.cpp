// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/pic/graph.hpp"

#include "codelets/pic/gather/gather.hpp"
#include "codelets/pic/push/push.hpp"
#include "codelets/pic/scatter/add_shares.hpp"
#include "codelets/pic/scatter/scatter.hpp"
#include "codelets/pic/sort/sort.hpp"
#include "codelets/pic/totals/totals.hpp"
#include "core/spectral/mode_operators.hpp"
#include "tasks/spectral/costs.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

// Flops per particle, an estimate.
constexpr double push_flops = 70, kick_flops = 50, sort_flops = 15, scatter_flops = 100, gather_flops = 120,
                 measure_flops = 90;
constexpr double max_blocks = 512;

template <class T>
void insert_kicks(Graph& graph, PicJob<T> const& job, KickArgs const& args) {
  int b = 0;
  for (auto const& p : job.particles.blocks())
    graph.insert<Kick<T>>(args, {b++, kick_flops * double(p.count), p.owner}, read(p.field), read_write(p.phase),
                          read_write(p.clock));
}

/// sorted particles -> density.
template <class T>
void insert_scatter(Graph& graph, PicJob<T> const& job) {
  using Block = typename PicParticles<T>::Block;
  SpectralLayout const& layout = job.transform.layout();
  auto const cells = [&](int s) { return double(layout.plane_size()) * layout.planes(s); };
  auto const slab_owner = [&](int s) { return job.transform.owners().of(s, layout.slabs); };
  std::size_t const ranks = job.shares.size();
  double const in_slab = double(job.particles.count()) / (layout.slabs * double(ranks));
  for (std::size_t r = 0; r < ranks; ++r) {
    int const owner = job.owner(int(r));
    auto const sorted = job.particles.of(owner, &Block::sorted), order = job.particles.of(owner, &Block::order);
    for (int s = 0; s < layout.slabs; ++s)
      graph.insert<Scatter<T>>({job.grid, s}, {s, scatter_flops * in_slab + cells(s), owner, slab_owner(s) != owner},
                               read(sorted), read(order), write(job.shares[r][std::size_t(s)]));
  }
  for (int s = 0; s < layout.slabs && ranks > 1; ++s) {
    std::vector<Handle> shares;
    for (auto const& of_rank : job.shares) shares.push_back(of_rank[std::size_t(s)]);
    graph.insert<AddShares<T>>({}, {s, double(ranks) * cells(s)}, read(shares), write(job.density[std::size_t(s)]));
  }
}

}  // namespace

template <class T>
void build_field_graph(Graph& graph, PicJob<T> const& job) {
  using Block = typename PicParticles<T>::Block;
  int b = 0;
  for (Block const& p : job.particles.blocks())
    graph.insert<Sort<T>>({job.grid}, {b++, sort_flops * double(p.count), p.owner}, read(p.phase), read(p.charge),
                          write(p.sorted), write(p.order));

  insert_scatter(graph, job);

  job.transform.insert(graph, FieldOperator<T>{}, job.table, job.density, job.tiles, job.field);

  b = 0;
  for (Block const& p : job.particles.blocks())
    graph.insert<Gather<T>>({job.grid}, {b++, gather_flops * double(p.count), p.owner}, read(job.field), read(p.sorted),
                            read(p.order), write(p.field));
}

template <class T>
void build_step_graph(Graph& graph, PicJob<T> const& job, std::int64_t step) {
  using Block = typename PicParticles<T>::Block;
  int b = 0;
  for (Block const& p : job.particles.blocks())
    graph.insert<Push<T>>({job.motion, p.first, step}, {b++, push_flops * double(p.count), p.owner},
                          read_write(p.clock), read(p.field), read_write(p.phase));

  build_field_graph(graph, job);

  insert_kicks(graph, job, {job.motion, step});
}

template <class T>
void build_begin_graph(Graph& graph, PicJob<T> const& job, std::int64_t step) {
  build_field_graph(graph, job);
  insert_kicks(graph, job, {job.motion, step, true});
}

template <class T>
void build_clock_graph(Graph& graph, PicJob<T> const& job, std::int64_t step) {
  for (int r = 0; r < int(job.shares.size()); ++r)
    graph.insert<Clock>({step}, {r, 1, job.owner(r)},
                        read(job.particles.of(job.owner(r), &PicParticles<T>::Block::clock)));
}

template <class T>
void build_potential_graph(Graph& graph, PicJob<T> const& job) {
  job.transform.insert(graph, PotentialOperator<T>{}, job.table, job.density, job.tiles, job.potential);
}

template <class T>
void build_totals_graph(Graph& graph, PicJob<T> const& job, double time, double cell_volume,
                        std::vector<int> const& ranks, ResultRows const& totals) {
  using Block = typename PicParticles<T>::Block;
  int b = 0;
  for (Block const& p : job.particles.blocks())
    graph.insert<Measure<T>>({job.grid, job.motion}, {b++, measure_flops * double(p.count), p.owner}, read(p.phase),
                             read(p.charge), read(job.potential), write(p.sums));
  SpectralLayout const& layout = job.transform.layout();
  for (int const r : ranks)
    graph.insert<Tally<T>>({time, cell_volume}, {0, double(layout.plane_size()) * layout.size[0], job.owner(r)},
                           read(job.particles.all(&Block::sums)), read(job.density), write(totals.of(0)));
}

int pic_blocks(std::size_t particles, int workers, int gpus) {
  if (gpus > 0) return int(std::min<std::size_t>(std::size_t(gpus), particles));
  return task_count(gather_flops * double(particles), workers, max_blocks, std::int64_t(particles));
}

#define NEARFAR_INSTANTIATE(T)                                                                           \
  template void build_field_graph<T>(Graph&, PicJob<T> const&);                                          \
  template void build_begin_graph<T>(Graph&, PicJob<T> const&, std::int64_t);                            \
  template void build_clock_graph<T>(Graph&, PicJob<T> const&, std::int64_t);                            \
  template void build_step_graph<T>(Graph&, PicJob<T> const&, std::int64_t);                             \
  template void build_potential_graph<T>(Graph&, PicJob<T> const&);                                      \
  template void build_totals_graph<T>(Graph&, PicJob<T> const&, double, double, std::vector<int> const&, \
                                      ResultRows const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

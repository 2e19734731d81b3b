// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/fft.hpp"
#include "codelets/spectral/g2p/g2p.hpp"
#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/scale/scale.hpp"
#include "codelets/spectral/tables.hpp"
#include "core/ewald/far/far_operator.hpp"
#include "core/kernels/description/description.hpp"
#include "core/spectral/mode_table.hpp"
#include "core/spectral/transforms.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/instructions/work.hpp"

#include <complex>
#include <memory>

namespace nearfar::test {

namespace {

constexpr int points = 500, size = 32, window = 8, slabs = 2;

Grid grid() {
  Grid g;
  for (int d = 0; d < 3; ++d) g.layout.size[d] = size;
  for (int& n : g.layout.padding[0].size) n = size;
  g.set_window(window);
  g.layout.slabs = slabs;
  g.layout.columns = 2;
  set_sections(g.layout);
  return g;
}

Cells cells() {
  Cells c;
  for (int d = 0; d < 3; ++d) {
    c.edge[d] = 1;
    c.count[d] = 4;
    c.blocks[d] = 2;
  }
  c.cutoff = 0.25;
  return c;
}

/// The window of all of them; made once, for that takes long.
template <class T>
std::vector<EwaldTables<T>> tables() {
  static auto const window_table =
      make_window_table<T>({Window::kaiser_bessel, window, 2.3 * window, true}, sizeof(T) == 8 ? 1e-7 : 1e-5);
  std::vector<EwaldTables<T>> t(1);
  t[0].window = window_table;
  return t;
}

template <class T>
AlignedVector<T> empty_slab(Grid const& g, int s, int components) {
  return AlignedVector<T>(std::size_t(components * g.layout.planes(s) * g.layout.plane_size()), T(0));
}

/// All slabs: every window once.
template <class T, Spreading S>
Work p2g(std::string const& kernel, int strengths) {
  Grid const g = grid();
  Cells const c = cells();
  bool const layers = S == Spreading::double_layer;
  int const components = layers ? 4 : strengths;
  auto table = tables<T>();
  BlockedSet<T> set(c, points, strengths, 3);
  std::vector<LocalBuffers> buffers(slabs);
  std::vector<P2GArgs> args;
  std::vector<AlignedVector<T>> slab;
  for (int s = 0; s < slabs; ++s) slab.push_back(empty_slab<T>(g, s, components));
  for (int s = 0; s < slabs; ++s) {
    args.push_back({g, c, s, blocks_of_slab(g, c, s), components, layers ? strengths - 6 : 0});
    auto& task = buffers[std::size_t(s)];
    task.access().add(table).access();
    for (int x = 0; x < args.back().blocks.count; ++x)
      for (int y = 0; y < c.blocks[1]; ++y)
        for (int z = 0; z < c.blocks[2]; ++z) {
          auto& b = set.block[std::size_t(block_number(c, args.back().blocks.item(x), y, z))];
          task.add(b.position).add(b.offset).add(b.strength);
        }
    task.access().add(slab[std::size_t(s)]);
  }
  return make_work("p2g-" + kernel + precision<T>(), "point", points,
                   [args, buffers, table = std::move(table), set = std::move(set), slab = std::move(slab)]() mutable {
                     for (std::size_t s = 0; s < slabs; ++s) P2G<T, S>::tuned(buffers[s].view(), args[s]);
                   });
}

/// All blocks.
template <class T, class K>
Work g2p(std::string const& kernel) {
  Grid const g = grid();
  Cells const c = cells();
  auto table = tables<T>();
  BlockedSet<T> set(c, points, 1, 5);
  std::vector<AlignedVector<T>> slab;
  for (int s = 0; s < slabs; ++s) slab.push_back(empty_slab<T>(g, s, K::Far::out));
  std::vector<LocalBuffers> buffers;
  std::vector<G2PArgs> args;
  AlignedVector<T> result(std::size_t(K::results * points));
  for (int b = 0; b < c.block_count(); ++b) {
    auto& target = set.block[std::size_t(b)];
    args.push_back({g, slabs_of_block(g, c, block_at(c, b)), PointRange{0, int(target.count)}, c, block_at(c, b)});
    LocalBuffers task;
    task.access().add(table).access().add(target.position).access().add(target.offset).access();
    for (int i = 0; i < args.back().slabs.count; ++i) task.add(slab[std::size_t(args.back().slabs.item(i))]);
    task.access().add(result);
    buffers.push_back(std::move(task));
  }
  return make_work("g2p-" + kernel + precision<T>(), "point", points,
                   [args, buffers, table = std::move(table), set = std::move(set), slab = std::move(slab),
                    result = std::move(result)]() mutable {
                     for (std::size_t b = 0; b < args.size(); ++b)
                       G2P<T, typename K::Gather>::tuned(buffers[b].view(), args[b]);
                   });
}

template <class T>
using Complexes = AlignedVector<std::complex<T>>;

/// One slab there and back.
template <class T>
std::vector<Work> planes() {
  Grid const g = grid();
  struct Memory {
    AlignedVector<T> slab;
    Complexes<T> plane;
    std::vector<Complexes<T>> tile;
  };
  auto const m = std::make_shared<Memory>();
  m->slab = empty_slab<T>(g, 0, 1);
  m->plane.resize(std::size_t(PlaneScratch(g.layout).size));
  for (int i = 0; i < g.layout.columns; ++i)
    m->tile.emplace_back(std::size_t(g.layout.planes(0) * g.layout.columns_in(i)));
  LocalBuffers fft, ifft;
  fft.access().add(m->slab).access().add(m->plane).access();
  ifft.access();
  for (auto& tile : m->tile) {
    fft.add(tile);
    ifft.add(tile);
  }
  ifft.access().add(m->plane).access().add(m->slab);
  double const work = 1.0 * g.layout.planes(0) * size * size;
  return {make_work("fft" + precision<T>(), "grid-point", work,
                    [g, m, fft]() mutable {
                      Fft<T>::portable(fft.view(), {g.layout, 0, 1});
                    }),
          make_work("ifft" + precision<T>(), "grid-point", work, [g, m, ifft]() mutable {
            Ifft<T>::portable(ifft.view(), {g.layout, 0, 1});
          })};
}

/// One group of columns.
template <class T, class K>
Work scale(std::string const& kernel) {
  Grid const g = grid();
  constexpr int components = K::Far::in;
  AlignedVector<T> multipliers(std::size_t(ModeTable<T>::size(g.layout)), T(1));
  Complexes<T> columns(std::size_t(components * column_scratch(g.layout)));
  std::vector<Complexes<T>> tiles;
  LocalBuffers task;
  task.access().add(multipliers).access().add(columns).access();
  for (int s = 0; s < slabs; ++s)
    tiles.emplace_back(std::size_t(components * g.layout.planes(s) * g.layout.columns_in(0)));
  for (auto& tile : tiles) task.add(tile);
  return make_work("scale-" + kernel + precision<T>(), "mode", 1.0 * g.layout.columns_in(0) * size,
                   [g, task, multipliers = std::move(multipliers), columns = std::move(columns),
                    tiles = std::move(tiles)]() mutable {
                     Scale<FarOperator<T, typename K::Far>>::portable(task.view(), {g.layout, 0, {}});
                   });
}

}  // namespace

std::vector<Work> grid_work() {
  auto work = planes<double>();
  for (auto& more :
       {p2g<double, Spreading::plain>("laplace", 1), p2g<double, Spreading::plain>("stokeslet", 3),
        p2g<double, Spreading::double_layer>("stokes", 9), p2g<float, Spreading::plain>("stokeslet", 3),
        g2p<double, Laplace>("laplace"), g2p<double, LaplaceGradient>("laplace-gradient"),
        g2p<double, Stokeslet>("stokeslet"), g2p<float, Stokeslet>("stokeslet"), scale<double, Laplace>("laplace"),
        scale<double, Stokeslet>("stokeslet"), scale<double, Stokes>("stokes")})
    work.push_back(more);
  return work;
}

}  // namespace nearfar::test

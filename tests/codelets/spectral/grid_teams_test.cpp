// SPDX-License-Identifier: BSD-3-Clause
// What the threads of GPUs do for P2G and G2P, on the host, against the portable bodies.
#include "codelets/spectral/g2p/g2p_buffers.hpp"
#include "codelets/spectral/g2p/g2p_team.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"
#include "codelets/spectral/p2g/p2g_team.hpp"
#include "tests/codelets/host_team.hpp"
#include "tests/codelets/host_warp.hpp"
#include "tests/codelets/spectral/grid_cases.hpp"

#include <nearfar/runtime.hpp>

#include <cstring>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Memory of a GPU block with numbers that are none.
template <class Memory>
std::vector<Memory> unset_memory() {
  std::vector<Memory> memory(1);
  std::memset(static_cast<void*>(memory.data()), 0xff, sizeof(Memory));
  return memory;
}

/// What the launcher of the .cu file does, on the host, with short lists of blocks.
template <template <class, int> class Spread, class Shape, template <class, class> class Nodes, class T>
void spread_by_teams(Buffers const& buffers, P2GArgs const& args) {
  using Program = P2GTeam<Spread, T, Shape, Nodes>;
  P2GBuffers<T> const b(buffers);
  P2GLaunch<T> const launch{args, b.window, b.slab};
  in_lists_of<BlockView<T>>(
      5, b.blocks(), [&](int i) { return b.block(i); },
      [&](auto const& sources) {
        for (int block = 0; block < Program::blocks(args); ++block) {
          auto memory = unset_memory<typename Program::Memory>();
          HostTeam<typename Program::State> team(Program::threads);
          Program::run(team, launch, sources, block, memory[0]);
        }
      });
}

/// In large tiles and in small ones, by each way to share nodes.
template <template <class, int> class Spread, class T, bool D>
void check_teams(GridCase const& c, int strengths, double tolerance) {
  check_spread<T, D>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 2, 2>, NodesByRow, T>);
  check_spread<T, D>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 1, 1>, NodesByRow, T>);
  check_spread<T, D>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 2, 2>, NodesByMatrix, T>);
  check_spread<T, D>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 1, 1>, NodesByMatrix, T>);
}

template <class T, Kernel K, bool G, int warp, int passes>
void gather_by_warps(Buffers const& buffers, G2PArgs const& args) {
  using Program = G2PTeam<K, G, T, warp, passes>;
  G2PBuffers<T> const b(buffers, args, NearPair<K, G>::results);
  G2PLaunch<T> const launch{args,
                            b.window,
                            b.position,
                            b.stride,
                            b.result,
                            b.result_stride,
                            {args.grid.layout.scale(0), args.grid.layout.scale(1), args.grid.layout.scale(2)}};
  in_lists_of<T const*>(
      2, args.slabs.count, [&](int i) { return buffers.get<T const>(2, i); },
      [&](auto const& slabs) {
        for (int i = 0; i < Program::warps(args.chunk); ++i) {
          auto memory = unset_memory<typename Program::Memory>();
          HostWarp<typename Program::State> threads(warp);
          Program::run(threads, launch, slabs, i, memory[0]);
        }
      });
}

template <class T, Kernel K, bool G>
void check_warps(GridCase const& c, double tolerance) {
  check_gather<T, K, G>(c, tolerance, gather_by_warps<T, K, G, 32, 20>);
  check_gather<T, K, G>(c, tolerance, gather_by_warps<T, K, G, 64, 7>);
}

}  // namespace

TEST_CASE("p2g: the threads of a GPU against the portable body") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  for (auto const& c : grid_cases) {
    check_teams<SpreadScalar, double, false>(c, 1, 1e-13);
    check_teams<SpreadVector, float, false>(c, 3, 1e-5);
    check_teams<SpreadLayers, double, true>(c, 6, 1e-13);
    check_teams<SpreadLayers, double, true>(c, 9, 1e-13);
  }
}

TEST_CASE("g2p: the threads of a GPU against the portable body") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  for (auto const& c : grid_cases) {
    check_warps<double, Kernel::stokeslet, false>(c, 1e-13);
    check_warps<double, Kernel::laplace, true>(c, 1e-13);
    check_warps<float, Kernel::laplace, false>(c, 1e-5);
  }
}

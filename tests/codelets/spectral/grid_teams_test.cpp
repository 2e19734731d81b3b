// SPDX-License-Identifier: BSD-3-Clause
// What the threads of GPUs do for P2G and G2P, on the host, against the portable bodies.
#include "codelets/spectral/g2p/g2p_brick_team.hpp"
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
  P2GBuffers<T> const b(buffers, args);
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
template <template <class, int> class Spread, class T, Spreading S>
void check_teams(GridCase const& c, int strengths, double tolerance) {
  check_spread<T, S>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 2, 2>, NodesByRow, T>);
  check_spread<T, S>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 1, 1>, NodesByRow, T>);
  check_spread<T, S>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 2, 2>, NodesByMatrix, T>);
  check_spread<T, S>(c, strengths, tolerance, spread_by_teams<Spread, TileShape<2, 1, 1>, NodesByMatrix, T>);
}

template <class T>
G2PLaunch<T> launch_of(G2PBuffers<T> const& b, G2PArgs const& args) {
  auto const& l = args.grid.layout;
  return {args,     b.window, b.position,      b.stride,
          b.offset, b.result, b.result_stride, {l.scale(0), l.scale(1), l.scale(2)}};
}

template <class T, class K, int warp, int passes>
void gather_by_warps(Buffers const& buffers, G2PArgs const& args) {
  using Program = G2PTeam<typename K::Gather, T, warp, passes>;
  G2PBuffers<T> const b(buffers, args, K::results);
  G2PLaunch<T> const launch = launch_of(b, args);
  in_lists_of<T const*>(
      2, args.slabs.count, [&](int i) { return b.slab_data(i); },
      [&](auto const& slabs) {
        for (int i = 0; i < Program::warps(args.chunk); ++i) {
          auto memory = unset_memory<typename Program::Memory>();
          HostWarp<typename Program::State> threads(warp);
          Program::run(threads, launch, slabs, i, memory[0]);
        }
      });
  turn<K>(b, args);
}

/// The same by bricks, in as little memory as they need and in more.
template <class T, class K, int passes, int more>
void gather_by_bricks(Buffers const& buffers, G2PArgs const& args) {
  using Program = G2PBrickTeam<typename K::Gather, T, passes>;
  using Memory = typename Program::Memory;
  if (args.chunk.count() == 0) return;
  G2PBuffers<T> const b(buffers, args, K::results);
  G2PLaunch<T> const launch = launch_of(b, args);
  auto const brick_in = [&](int room) {
    return gather_brick(args, 50, 128 / int(sizeof(T)),
                        [&](GatherBrick const& b) { return Program::bytes(b) <= room; });
  };
  if (brick_in(1 << 30).count() == 0) return gather_by_warps<T, K, 32, 20>(buffers, args);  // as the launcher does
  int room = 1000;
  while (brick_in(room).count() == 0) room += 1000;
  GatherBrick const brick = brick_in(room * more);
  in_lists_of<T const*>(
      2, args.slabs.count, [&](int i) { return b.slab_data(i); },
      [&](auto const& slabs) {
        for (int i = 0; i < brick.count(); ++i) {
          std::vector<Memory> memory(std::size_t(Program::bytes(brick)) / sizeof(Memory) + 1);
          std::memset(static_cast<void*>(memory.data()), 0xff, memory.size() * sizeof(Memory));
          HostTeam<typename Program::State> team(Program::threads);
          Program::run(team, {launch, brick, slabs}, i, memory.data());
        }
      });
  turn<K>(b, args);
}

template <class T, class K>
void check_bricks(GridCase const& c, double tolerance) {
  if (c.window <= 8) check_gather<T, K>(c, tolerance, gather_by_bricks<T, K, 2, 1>);
  check_gather<T, K>(c, tolerance, gather_by_bricks<T, K, 13, 1>);
  check_gather<T, K>(c, tolerance, gather_by_bricks<T, K, 13, 20>);
}

template <class T, class K>
void check_warps(GridCase const& c, double tolerance) {
  check_gather<T, K>(c, tolerance, gather_by_warps<T, K, 32, 20>);
  check_gather<T, K>(c, tolerance, gather_by_warps<T, K, 64, 7>);
}

}  // namespace

TEST_CASE("p2g: the threads of a GPU against the portable body") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  for (auto const& c : grid_cases) {
    check_teams<SpreadScalar, double, Spreading::plain>(c, 1, 1e-13);
    check_teams<SpreadVector, float, Spreading::plain>(c, 3, 1e-5);
    check_teams<SpreadDoubleLayer, double, Spreading::double_layer>(c, 6, 1e-13);
    check_teams<SpreadDoubleLayer, double, Spreading::double_layer>(c, 9, 1e-13);
    check_teams<SpreadDipoles, double, Spreading::dipoles>(c, 3, 1e-13);
    check_teams<SpreadDipoles, double, Spreading::dipoles>(c, 4, 1e-13);
    check_teams<SpreadForceDipoles, double, Spreading::force_dipoles>(c, 9, 1e-13);
  }
}

TEST_CASE("g2p: the threads of a GPU against the portable body") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  for (auto const& c : grid_cases) {
    check_warps<double, Stokeslet>(c, 1e-13);
    check_warps<double, LaplaceGradient>(c, 1e-13);
    check_warps<double, LaplaceHessian>(c, 1e-13);
    check_warps<float, Laplace>(c, 1e-5);
    check_warps<double, StokesletGradient>(c, 1e-13);
    check_bricks<double, Stokeslet>(c, 1e-13);
    check_bricks<float, Laplace>(c, 1e-5);
  }
}

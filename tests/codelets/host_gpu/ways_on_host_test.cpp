// SPDX-License-Identifier: BSD-3-Clause
// Other ways of GPUs to spread and gather, on the host, against the portable bodies.
#include "codelets/laboratory/stages/p2g_ways.cu"
#include "codelets/spectral/g2p/g2p_targets.cu"

#include "codelets/spectral/p2g/p2g_buffers.hpp"
#include "tests/codelets/spectral/grid_cases.hpp"

#include <nearfar/runtime.hpp>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// With short lists of blocks.
template <auto launch, class T>
void spread(Buffers const& buffers, P2GArgs const& args) {
  P2GBuffers<T> const b(buffers, args);
  in_lists_of<BlockView<T>>(
      5, b.blocks(), [&](int i) { return b.block(i); },
      [&](auto const& sources) {
        launch({args, b.window, b.slab}, sources, nullptr);
      });
}

template <class T, Spreading S>
void check_ways(GridCase const& c, int strengths, double tolerance) {
  check_spread<T, S>(c, strengths, tolerance, spread<launch_p2g_by_sources<S, T>, T>);
  check_spread<T, S>(c, strengths, tolerance, spread<launch_p2g_by_nodes<S, T>, T>);
  check_spread<T, S>(c, strengths, tolerance, spread<launch_p2g_by_cells<S, T>, T>);
}

template <class T, class K>
void check_targets(GridCase const& c, double tolerance) {
  check_gather<T, K>(c, tolerance, [](Buffers const& buffers, G2PArgs const& args) {
    G2PBuffers<T> const b(buffers, args, K::results);
    G2PLaunch<T> const launch{args, b.window, b.position, b.stride, b.offset, b.result, b.result_stride};
    in_lists_of<T const*>(
        2, args.slabs.count, [&](int i) { return b.slab_data(i); },
        [&](auto const& slabs) { launch_g2p_by_targets<typename K::Gather>(launch, slabs, nullptr); });
    turn<K>(b, args);
  });
}

}  // namespace

TEST_CASE("p2g: source by source, node by node and cell by cell as GPUs run them") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // the portable bodies run through its Kokkos
  for (auto const& c : grid_cases) {
    check_ways<double, Spreading::plain>(c, 1, 1e-13);
    check_ways<float, Spreading::plain>(c, 3, 1e-5);
    check_ways<double, Spreading::double_layer>(c, 6, 1e-13);
    check_ways<double, Spreading::double_layer>(c, 9, 1e-13);
    check_ways<double, Spreading::force_dipoles>(c, 9, 1e-13);
  }
}

TEST_CASE("g2p: target by target as GPUs run it") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // the portable bodies run through its Kokkos
  for (auto const& c : grid_cases) {
    check_targets<double, Stokeslet>(c, 1e-13);
    check_targets<double, LaplaceGradient>(c, 1e-13);
    check_targets<float, Laplace>(c, 1e-5);
  }
}

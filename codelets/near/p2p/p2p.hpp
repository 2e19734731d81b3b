// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/variants.hpp"
#include "codelets/near/p2p/p2p_body.hpp"

namespace nearfar {

/// Near field of a chunk of a block of targets, gathered from the source blocks around it: one writer, a fixed order
/// of addition. If the targets are the sources, the tuned body sums pairs within the chunk once for both points, and
/// with `mutual` contributions all bodies for CPUs sum pairs with other blocks once (core/geometry/mutual.hpp); GPUs
/// do not. If A is narrower than T, pairs are summed in precision A, and the sums of a tile of targets added in T
/// (core/kernels/pairs/packed_source.hpp), except by the portable body, which always sums in T.
template <class T, class K, class A = T>
struct P2P {
  using Args = P2PArgs;
  using Accesses =
      AccessList<Read,                 // tables
                 Read,                 // target positions
                 Read,                 // target cell offsets
                 ReadEach<Neighbour>,  // rough source positions, cell offsets, packed sources
                 Write,                // near result of the chunk
                 WriteMany>;  // mutual contributions, of the neighbours that this task sums for, in their order
  static constexpr char const* name = "p2p";

  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
  static void portable_gpu(Buffers const& buffers, Args const& args, void* stream);
  static std::span<GpuVariant<Args> const> further_gpu_variants();
};

/// The same for vectors of strengths that are summed together (S is Several of a kernel): for CPUs alone.
template <class T, class S, class A = T>
struct P2PSeveral {
  using Args = P2PArgs;
  using Accesses = typename P2P<T, S, A>::Accesses;
  static constexpr auto name = P2P<T, S, A>::name;

  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
};

/// Floating-point operations per pair within the cutoff, for cost models and tables (1 / sqrt(r) counted as 8).
template <class K>
double p2p_flops_per_pair(int degree) {
  return 4.0 * degree * K::Near::polynomials / 2.0 + 8 + 9 + K::Near::flops;
}

}  // namespace nearfar

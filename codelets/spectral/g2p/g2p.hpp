// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/variants.hpp"
#include "codelets/spectral/g2p/g2p_body.hpp"

namespace nearfar {

/// Gathers the far field of a chunk of a block of targets from the slabs its windows touch: u(x) = sum H(x_g) W(x -
/// x_g) (ewald.md, Sec. 5.1); the gradient by differentiating the window. All Stokes kernels gather as
/// Kernel::stokeslet: what is on the grid is a velocity.
template <class T, class Gather>
struct G2P {
  using Args = G2PArgs;
  using Accesses = AccessList<Read,      // tables
                              Read,      // target positions
                              Read,      // and where their cells begin
                              ReadMany,  // slabs
                              Write>;    // far result of the chunk
  static constexpr char const* name = "g2p";

  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
  static void portable_gpu(Buffers const& buffers, Args const& args, void* stream);
  static std::span<GpuVariant<Args> const> further_gpu_variants();
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/variants.hpp"
#include "codelets/spectral/p2g/p2g_body.hpp"

namespace nearfar {

/// Spreads points to one slab of the grid, gathered from all blocks whose windows touch
/// it: H(x_g) = sum f W(x_g - y) (ewald.md, Sec. 5.1), or the fields of dipoles or the
/// Stokes double layer (Sec. 5.4). One writer per slab, so nothing is added across tasks.
template <class T, Spreading S>
struct P2G {
  using Args = P2GArgs;
  using Accesses = AccessList<Read,                   // tables
                              ReadEach<SpreadBlock>,  // positions, cell offsets, strengths of each block
                              Write>;                 // slab
  static constexpr char const* name = "p2g";
  static char const* symbol();

  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static std::span<CpuVariant<Args> const> further_variants();
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
  static void portable_gpu(Buffers const& buffers, Args const& args, void* stream);
  static std::span<GpuVariant<Args> const> further_gpu_variants();
};

}  // namespace nearfar

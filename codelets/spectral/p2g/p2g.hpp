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
  static void source_ordered(Buffers const& buffers, Args const& args);
  static void hybrid(Buffers const& buffers, Args const& args);
  static constexpr auto variants() {
    return std::array{CpuVariant<Args>{nearfar::source_ordered, source_ordered},
                      CpuVariant<Args>{nearfar::hybrid, hybrid}};
  }
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
  static void gpu_by_sources(Buffers const& buffers, Args const& args, void* stream);
  static void gpu_by_nodes(Buffers const& buffers, Args const& args, void* stream);
  static void gpu_by_cells(Buffers const& buffers, Args const& args, void* stream);
  static void portable_gpu(Buffers const& buffers, Args const& args, void* stream) {
    if constexpr (gpus_built) gpu_by_nodes(buffers, args, stream);
  }
  static constexpr auto gpu_variants() {
    if constexpr (gpus_built)
      return std::array{GpuVariant<Args>{nearfar::source_ordered, gpu_by_sources},
                        GpuVariant<Args>{grid_ordered, gpu_by_nodes}, GpuVariant<Args>{nearfar::hybrid, gpu_by_cells}};
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/spectral/layout.hpp"

namespace nearfar {

struct PlaneArgs {
  SpectralLayout layout;
  int slab = 0;
  int components = 1;  ///< to transform; buffers may hold more
};

/// Real-to-complex transform of the (y, z) planes of one slab, cut into tiles, one for
/// each group of columns. A tile holds [component][x of the slab][columns of the group].
template <class T>
struct Fft {
  using Args = PlaneArgs;
  using Accesses = AccessList<Read,        // slab
                              Scratch,     // one plane of modes
                              WriteMany>;  // tiles of this slab, one per group of columns
  static constexpr char const* name = "fft";
  static void portable(Buffers const& buffers, Args const& args);
  static constexpr bool gpu_built = gpu_transforms_built;
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// The inverse: from tiles back to the planes of one slab, including its ghost rows and columns.
template <class T>
struct Ifft {
  using Args = PlaneArgs;
  using Accesses = AccessList<ReadMany,  // tiles of this slab
                              Scratch,   // one plane of modes
                              Write>;    // slab
  static constexpr char const* name = "ifft";
  static void portable(Buffers const& buffers, Args const& args);
  static constexpr bool gpu_built = gpu_transforms_built;
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/spectral/layout.hpp"
#include "core/spectral/mode_operators.hpp"

namespace nearfar {

template <class Operator>
struct ScaleArgs {
  SpectralLayout layout;
  int group = 0;  ///< of columns
  Operator apply;
};

/// For the columns of one group: transforms along x, zero-padded if x is free, applies
/// the operator to every mode, and transforms back. In place in the tiles of all slabs,
/// which have room for the larger of the operator's numbers of components in and out. What
/// the operator sums over modes is added up in double, in the order of the columns.
template <class Operator>
struct Scale {
  using T = typename Operator::Number;
  using Args = ScaleArgs<Operator>;
  using Accesses = AccessList<Read,           // multipliers of all modes
                              Scratch,        // column_batch columns of every component
                              ReadWriteMany,  // tiles of this group, one per slab
                              WriteMany>;     // the operator's sums over modes of this group, or none
  static constexpr int components = Operator::in > Operator::out ? Operator::in : Operator::out;
  static constexpr char const* name = "scale";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static constexpr bool gpu_built = gpu_transforms_built;
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar

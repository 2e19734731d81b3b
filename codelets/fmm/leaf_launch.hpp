// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/leaf_pieces.hpp"

namespace nearfar {

/// Pointers of a task that converts between points of leaves and their expansions: from `in` to `out`.
template <class T, class Args>
struct LeafLaunch {
  Args args;
  Leaf const* leaf = nullptr;
  T const* position = nullptr;
  T const* in = nullptr;
  T* out = nullptr;
  std::int64_t stride = 0;
  int leaves = 0;

  /// With at most this many points.
  NEARFAR_FUNCTION int pieces(int size) const { return max_pieces(leaves, int(stride), size); }

  template <class Buffers>
  static LeafLaunch of(Buffers const& b, Args const& args) {
    return {args,
            b.template get<Leaf const>(0),
            b.template get<T const>(1),
            b.template get<T const>(2),
            b.template get<T>(3),
            b.template size<T>(1) / 3,
            int(b.template size<Leaf>(0))};
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/block_view.hpp"
#include "codelets/spectral/p2g/p2g_body.hpp"

namespace nearfar {

/// A window's value at one grid point along one direction, and for a double layer its slope.
template <class T>
struct Sample {
  T value, slope;
};

/// The window of one point along one direction.
template <bool WithDoubleLayer, class T>
struct Line {
  T value[max_window_points], slope[WithDoubleLayer ? max_window_points : 1];

  NEARFAR_FUNCTION Line(WindowTable<T> const& w, T s) {
    window_values(w, s, value);
    if constexpr (WithDoubleLayer) window_slopes(w, s, slope);
  }
  NEARFAR_FUNCTION Sample<T> at(int i) const { return {value[i], WithDoubleLayer ? slope[i] : T(0)}; }
};

/// What one point spreads: add(component, value) is called for each component at a grid point.
template <bool WithDoubleLayer, class T>
struct Spread {
  T const* strength;
  std::int64_t stride;
  int components;

  NEARFAR_FUNCTION Spread(P2GArgs const& args, BlockView<T> const& block, int j)
      : strength(block.strength + j), stride(block.stride), components(args.components) {}

  template <class Add>
  NEARFAR_FUNCTION void at(Sample<T> const& x, Sample<T> const& y, Sample<T> const& z, Add const& add) const {
    T const weight = x.value * y.value * z.value;
    for (int m = 0; m < components; ++m) add(m, weight * strength[m * stride]);
  }
};

template <class T>
struct Spread<true, T> {
  DoubleLayer<T> layer;

  NEARFAR_FUNCTION Spread(P2GArgs const& args, BlockView<T> const& block, int j) {
    layer.set(args.grid, block.strength + j, block.stride, args.forces);
  }

  template <class Add>
  NEARFAR_FUNCTION void at(Sample<T> const& x, Sample<T> const& y, Sample<T> const& z, Add const& add) const {
    T const weight = x.value * y.value * z.value;
    T const slope[3] = {x.slope * y.value * z.value, x.value * y.slope * z.value, x.value * y.value * z.slope};
    for (int m = 0; m < 3; ++m)
      add(m, weight * layer.value[m] + slope[0] * layer.slope[m][0] + slope[1] * layer.slope[m][1] +
                 slope[2] * layer.slope[m][2]);
    add(3, weight * layer.value[3]);
  }
};

}  // namespace nearfar

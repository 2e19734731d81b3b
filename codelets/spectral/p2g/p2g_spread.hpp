// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/block_view.hpp"
#include "codelets/spectral/p2g/p2g_body.hpp"

namespace nearfar {

/// A window's value at one grid point along one direction, and where points are spread by slopes its slope.
template <class T>
struct Sample {
  T value, slope;
};

/// The window of one point along one direction.
template <Spreading S, class T>
struct Line {
  T value[max_window_points], slope[has_slopes(S) ? max_window_points : 1];

  NEARFAR_FUNCTION Line(WindowTable<T> const& w, T s) {
    window_values(w, s, value);
    if constexpr (has_slopes(S)) window_slopes(w, s, slope);
  }
  NEARFAR_FUNCTION Sample<T> at(int i) const { return {value[i], has_slopes(S) ? slope[i] : T(0)}; }
};

/// What one point spreads: add(component, value) is called for each component at a grid point.
template <Spreading S, class T>
struct Spread {
  Layers<T, S> layers;

  NEARFAR_FUNCTION Spread(P2GArgs const& args, BlockView<T> const& block, int j) {
    layers.set(args.grid, block.strength + j, block.stride, args.forces);
  }

  template <class Add>
  NEARFAR_FUNCTION void at(Sample<T> const& x, Sample<T> const& y, Sample<T> const& z, Add const& add) const {
    constexpr int components = Layers<T, S>::components, sloped = Layers<T, S>::sloped;
    T const weight = x.value * y.value * z.value;
    T const slope[3] = {x.slope * y.value * z.value, x.value * y.slope * z.value, x.value * y.value * z.slope};
    for (int m = 0; m < sloped; ++m)
      add(m, weight * layers.value[m] + slope[0] * layers.slope[m][0] + slope[1] * layers.slope[m][1] +
                 slope[2] * layers.slope[m][2]);
    for (int m = sloped; m < components; ++m) add(m, weight * layers.value[m]);
  }
};

template <class T>
struct Spread<Spreading::plain, T> {
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

}  // namespace nearfar

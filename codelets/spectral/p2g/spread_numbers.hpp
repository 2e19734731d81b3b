// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/p2g/p2g_body.hpp"

namespace nearfar {

/// What a GPU adds to nodes of a tile for a point: `products` of a factor, common to a row of
/// nodes along z, and the window along z, or its slope (`kind`), each for one of the `components`.
/// A Line holds the window's values along the three edges of the tile, followed by its slopes.
///
/// This is for strengths that are spread unchanged.
template <int Components, class T, int Length>
struct SpreadStrengths {
  static constexpr int components = Components, kinds = 1, products = Components;
  struct Numbers {
    T strength[Components];

    NEARFAR_FUNCTION void set(P2GArgs const&, T const* from, std::int64_t stride) {
      for (int m = 0; m < Components; ++m) strength[m] = from[m * stride];
    }
  };
  using Line = T[kinds][Length];

  NEARFAR_FUNCTION static constexpr int component(int product) { return product; }
  NEARFAR_FUNCTION static constexpr int kind(int) { return 0; }

  /// At a place along y.
  NEARFAR_FUNCTION SpreadStrengths(Numbers const& n, Line const& line, int y) {
    for (int m = 0; m < Components; ++m) row_[m] = line[0][y] * n.strength[m];
  }
  /// And at one along x, where the window and its slope are `x`.
  NEARFAR_FUNCTION T factor(int product, T const* x) const { return x[0] * row_[product]; }

 private:
  T row_[Components];
};

/// The same for what is spread by slopes: a sloped component has two products, the second one along the slope in z.
template <Spreading S, class T, int Length>
struct SpreadLayers {
  static constexpr int components = Layers<T, S>::components, sloped = Layers<T, S>::sloped, kinds = 2,
                       products = components + sloped;
  struct Numbers {
    Layers<T, S> layer;

    NEARFAR_FUNCTION void set(P2GArgs const& args, T const* from, std::int64_t stride) {
      layer.set(args.grid, from, stride, args.forces);
    }
  };
  using Line = T[kinds][Length];

  NEARFAR_FUNCTION static constexpr int component(int product) { return product < sloped ? product : product - sloped; }
  NEARFAR_FUNCTION static constexpr int kind(int product) { return product >= sloped && product < 2 * sloped ? 1 : 0; }

  NEARFAR_FUNCTION SpreadLayers(Numbers const& n, Line const& line, int y) {
    T const value = line[0][y], slope = line[1][y];
    for (int m = 0; m < sloped; ++m) {
      plain_[m] = value * n.layer.value[m] + slope * n.layer.slope[m][1];
      along_x_[m] = value * n.layer.slope[m][0];
      along_z_[m] = value * n.layer.slope[m][2];
    }
    if constexpr (components > sloped) scalar_ = value * n.layer.value[sloped];
  }
  NEARFAR_FUNCTION T factor(int product, T const* x) const {
    if (product < sloped) return x[0] * plain_[product] + x[1] * along_x_[product];
    return x[0] * (product < 2 * sloped ? along_z_[product - sloped] : scalar_);
  }

 private:
  T plain_[sloped], along_x_[sloped], along_z_[sloped], scalar_ = 0;
};

template <class T, int Length>
using SpreadScalar = SpreadStrengths<1, T, Length>;
template <class T, int Length>
using SpreadVector = SpreadStrengths<3, T, Length>;
template <class T, int Length>
using SpreadDoubleLayer = SpreadLayers<Spreading::double_layer, T, Length>;
template <class T, int Length>
using SpreadDipoles = SpreadLayers<Spreading::dipoles, T, Length>;
template <class T, int Length>
using SpreadForceDipoles = SpreadLayers<Spreading::force_dipoles, T, Length>;

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/p2g/p2g_body.hpp"

namespace nearfar {

/// What a thread of a GPU adds for a point to nodes that follow each other along z: `line` has the window's values
/// along the three edges of a tile, and its slopes after them; x, y and z are places in it. Only the nodes from First
/// on, Count of them, that the window reaches.
///
/// This is for strengths that are spread as they are.
template <int Components, class T, int Length>
struct SpreadStrengths {
  static constexpr int components = Components, kinds = 1;
  struct Numbers {
    T strength[Components];

    NEARFAR_FUNCTION void set(P2GArgs const&, T const* from, std::int64_t stride) {
      for (int m = 0; m < Components; ++m) strength[m] = from[m * stride];
    }
  };
  using Line = T[kinds][Length];

  NEARFAR_FUNCTION SpreadStrengths(Numbers const& n, Line const& line, int x, int y) : line_(line[0]) {
    T const weight = line[0][x] * line[0][y];
    for (int m = 0; m < Components; ++m) factor_[m] = weight * n.strength[m];
  }
  template <int First, int Count, int Nodes>
  NEARFAR_FUNCTION void add(int z, T (*sum)[Nodes]) const {
    T along[Count];
    for (int k = 0; k < Count; ++k) along[k] = line_[z + First + k];
    for (int m = 0; m < Components; ++m)
      for (int k = 0; k < Count; ++k) sum[m][First + k] += factor_[m] * along[k];
  }

 private:
  T const* line_;
  T factor_[Components];
};

/// And for a double layer, with forces or without.
template <class T, int Length>
struct SpreadLayers {
  static constexpr int components = 4, kinds = 2;
  struct Numbers {
    DoubleLayer<T> layer;

    NEARFAR_FUNCTION void set(P2GArgs const& args, T const* from, std::int64_t stride) {
      layer.set(args.grid, from, stride, args.forces);
    }
  };
  using Line = T[kinds][Length];

  NEARFAR_FUNCTION SpreadLayers(Numbers const& n, Line const& line, int x, int y) : values_(line[0]), slopes_(line[1]) {
    T const weight = values_[x] * values_[y], slope_x = slopes_[x] * values_[y], slope_y = values_[x] * slopes_[y];
    for (int m = 0; m < 3; ++m) {
      plain_[m] = weight * n.layer.value[m] + slope_x * n.layer.slope[m][0] + slope_y * n.layer.slope[m][1];
      steep_[m] = weight * n.layer.slope[m][2];
    }
    plain_[3] = weight * n.layer.value[3];
  }
  template <int First, int Count, int Nodes>
  NEARFAR_FUNCTION void add(int z, T (*sum)[Nodes]) const {
    T value[Count], slope[Count];
    for (int k = 0; k < Count; ++k) {
      value[k] = values_[z + First + k];
      slope[k] = slopes_[z + First + k];
    }
    for (int m = 0; m < 3; ++m)
      for (int k = 0; k < Count; ++k) sum[m][First + k] += plain_[m] * value[k] + steep_[m] * slope[k];
    for (int k = 0; k < Count; ++k) sum[3][First + k] += plain_[3] * value[k];
  }

 private:
  T const *values_, *slopes_;
  T plain_[4], steep_[3];
};

template <class T, int Length>
using SpreadScalar = SpreadStrengths<1, T, Length>;
template <class T, int Length>
using SpreadVector = SpreadStrengths<3, T, Length>;

}  // namespace nearfar

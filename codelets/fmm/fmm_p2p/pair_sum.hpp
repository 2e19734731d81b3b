// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "core/kernels/kernels.hpp"

#include <cstdint>

namespace nearfar {

/// One over the distance of a pair, from its square: 0 at distance zero.
template <class L>
struct InverseDistance {
  template <class V>
  NEARFAR_FUNCTION V operator()(V r2) const {
    return L::inverse_root(r2);
  }
};

/// Vectors batches of targets at once, lanes holding targets: each source is loaded once for all of them.
template <class V, int Vectors, class K, class L = Lanes<V>>
struct PairSum {
  using T = typename L::Scalar;
  using Pair = typename K::Bare;
  static constexpr int targets = Vectors * L::count;

  V x[Vectors][3], u[Vectors][K::results];

  NEARFAR_FUNCTION void begin(T const* position, std::int64_t stride, int first, int last) {
    for (int v = 0; v < Vectors; ++v) {
      int const j = first + v * L::count;
      for (int d = 0; d < 3; ++d) x[v][d] = j < last ? L::load_first(position + d * stride + j, last - j) : V(T(0));
      for (V& component : u[v]) component = V(T(0));
    }
  }

  /// Continues from the existing results.
  NEARFAR_FUNCTION void resume(T const* result, std::int64_t stride, int first, int last) {
    for (int v = 0; v < Vectors; ++v) {
      int const j = first + v * L::count;
      for (int m = 0; j < last && m < K::results; ++m) u[v][m] = L::load_first(result + m * stride + j, last - j);
    }
  }

  /// Adds the sources first .. last of a block, moved by `shift`. Points are in a cell from 0 on, so close
  /// ones are brought together by subtracting from a coordinate, of target or source: adding would round.
  /// `inverse(r2)`: one over the distance that a pair counts with.
  template <class Source, class Inverse = InverseDistance<L>>
  NEARFAR_FUNCTION void add(Source const* position, Source const* strength, std::int64_t stride, int first, int last,
                            T const* shift, Inverse const& inverse = {}) {
    if (shift[0] < 0 || shift[1] < 0 || shift[2] < 0)
      add_moved<true>(position, strength, stride, first, last, shift, inverse);
    else add_moved<false>(position, strength, stride, first, last, shift, inverse);
  }

  /// The same if no shift is negative.
  template <class Source, class Inverse = InverseDistance<L>>
  NEARFAR_FUNCTION void add_ahead(Source const* position, Source const* strength, std::int64_t stride, int first,
                                  int last, T const* shift, Inverse const& inverse = {}) {
    add_moved<false>(position, strength, stride, first, last, shift, inverse);
  }

  NEARFAR_FUNCTION void put(T* result, std::int64_t stride, int first, int last) const {
    for (int v = 0; v < Vectors; ++v) {
      int const j = first + v * L::count;
      if (j >= last) return;
      for (int m = 0; m < K::results; ++m) L::store_first(result + m * stride + j, u[v][m], last - j);
    }
  }

 private:
  /// With `Back`, sources are moved too, along directions with a negative `shift`.
  template <bool Back, class Source, class Inverse>
  NEARFAR_FUNCTION void add_moved(Source const* position, Source const* strength, std::int64_t stride, int first,
                                  int last, T const* shift, Inverse const& inverse) {
    V at[Vectors][3], sum[Vectors][K::results];
    for (int v = 0; v < Vectors; ++v) {
      for (int d = 0; d < 3; ++d) at[v][d] = x[v][d] - V(Back && shift[d] < 0 ? T(0) : shift[d]);
      for (int m = 0; m < K::results; ++m) sum[v][m] = u[v][m];
    }
    NEARFAR_DEVICE_UNROLL(4)
    for (int j = first; j < last; ++j) {
      V y[3], f[K::strengths];
      for (int d = 0; d < 3; ++d) {
        T const given = T(position[d * stride + j]);
        y[d] = V(Back && shift[d] < 0 ? given + shift[d] : given);
      }
      for (int m = 0; m < K::strengths; ++m) f[m] = V(T(strength[m * stride + j]));
      for (int v = 0; v < Vectors; ++v) {
        V const rx = at[v][0] - y[0], ry = at[v][1] - y[1], rz = at[v][2] - y[2];
        Pair::add(inverse(rx * rx + ry * ry + rz * rz), rx, ry, rz, f, sum[v]);
      }
    }
    for (int v = 0; v < Vectors; ++v)
      for (int m = 0; m < K::results; ++m) u[v][m] = sum[v][m];
  }
};

}  // namespace nearfar

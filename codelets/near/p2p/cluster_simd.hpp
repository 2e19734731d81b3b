// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For p2p_simd.cpp only, like simd_batch.hpp.

#include "codelets/near/p2p/p2p_buffers.hpp"
#include "codelets/near/simd_packed.hpp"
#include "core/ewald/split/near_tile.hpp"

namespace nearfar {

/// Consecutive targets of a column of cells, in the order of tiles.
template <class T>
struct Cluster {
  static constexpr int most = targets_per_cluster, tile = targets_per_tile;
  int count, number[most];
  T position[3][most];  ///< slots past the end repeat the first target
  T low[3], high[3];

  /// Orders the targets from `first` on: halved across their widest extent, by whole tiles, each half recursively.
  template <class A>
  [[gnu::always_inline]] inline Cluster(P2PBuffers<T, A> const& b, int first, int count_) : count(count_) {
    int key[3][most], rank[most];
    float width[3];
    for (int d = 0; d < 3; ++d) width[d] = take_keys(d, b.target + d * b.stride + first, key[d]);
    int const once = widest(width);
    rank_by(key[once], rank);
    width[once] /= 2;
    int const again = widest(width), tiles = (count + tile - 1) / tile, half = (tiles + 1) / 2 * tile;
    // The halves one after the other.
    for (int i = 0; i < most; ++i)
      key[again][i] = (key[again][i] >> 1 & ~(most - 1)) | (rank[i] < half ? 0 : 1 << 30) | i;
    rank_by(key[again], rank);
    for (int i = 0; i < most; ++i) number[i] = first;
    for (int i = 0; i < count; ++i) number[rank[i]] = first + i;
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < most; ++i) position[d][i] = b.target[d * b.stride + number[i]];
  }

 private:
  /// Sort keys: coordinates relative to the lowest, in the order of integers, with the
  /// index in the last bits, so that no two are equal. Returns the largest coordinate.
  [[gnu::always_inline]] inline float take_keys(int d, T const* x, int* key) {
    low[d] = high[d] = x[0];
    for (int i = 1; i < count; ++i) {
      low[d] = x[i] < low[d] ? x[i] : low[d];
      high[d] = x[i] > high[d] ? x[i] : high[d];
    }
    for (int i = 0; i < most; ++i) {
      float const from_low = float(x[i < count ? i : 0] - low[d]);
      key[i] = (__builtin_bit_cast(int, from_low) & ~(most - 1)) | i;
    }
    return float(high[d] - low[d]);
  }
  [[gnu::always_inline]] static inline int widest(float const* width) {
    int const d = width[1] > width[0] ? 1 : 0;
    return width[2] > width[d] ? 2 : d;
  }
  [[gnu::always_inline]] inline void rank_by(int const* key, int* rank) const {
    for (int i = 0; i < most; ++i) rank[i] = 0;
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < most; ++i) rank[i] += key[k] < key[i] ? 1 : 0;
  }
};

/// The sources near a cluster, and a few more: their positions in single precision
/// relative to the low corner of the cluster, and their numbers in their blocks.
template <class Rough>
struct Candidates {
  static constexpr int lanes = int(Rough::size), capacity = 1024;
  alignas(64) float position[3][capacity + lanes];
  alignas(64) float room[capacity + lanes];  ///< square of the cutoff minus that of the distance from the corner
  int number[capacity + lanes];
  int count = 0;

  /// Appends those of the sources first .. last - 1 that are near a box of this
  /// extent with this low corner; `limit` is the square of the cutoff plus a margin.
  template <class A>
  [[gnu::always_inline]] inline void add(SourceView<A> const& source, int first, int last, Rough const* corner,
                                         Rough const* extent, Rough limit) {
    Rough const zero(0.f);
    int to = count;
    for (int j = first; j < last; j += lanes) {
      Rough at[3], square = zero;
      for (int d = 0; d < 3; ++d) {
        at[d] = Rough::load_unaligned(source.rough + d * source.stride + j) - corner[d];
        Rough const away = xsimd::max(xsimd::max(zero - at[d], at[d] - extent[d]), zero);
        square = d == 0 ? away * away : square + away * away;
      }
      // Lanes past the end of the run hold points of the next one.
      int const rest = last - j;
      unsigned const in_run = rest < lanes ? (1u << rest) - 1 : ~0u;
      unsigned const within = bits_of(square < limit) & in_run;
      for (int d = 0; d < 3; ++d) append_lanes<lanes>(within, at[d], position[d] + to);
      append_lanes<lanes>(within, j, number + to);
      to += __builtin_popcount(within);
    }
    count = to;
  }

  [[gnu::always_inline]] inline void measure(Rough limit) {
    for (int j = 0; j < count; j += lanes) {
      Rough square(0.f);
      for (int d = 0; d < 3; ++d) {
        Rough const at = Rough::load_aligned(position[d] + j);
        square = d == 0 ? at * at : square + at * at;
      }
      (limit - square).store_aligned(room + j);
    }
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For p2p_simd.cpp only, like simd_batch.hpp.

#include "codelets/near/p2p/cluster_simd.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

/// A few adjacent targets whose sources are found and summed together. Few, so
/// that hardly any source near one of them is beyond the cutoff of the others.
template <class T, class A, class K, int targets>
struct Tile {
  T position[3][targets];             ///< relative to the image to which their sources belong
  A part[2][3][targets];              ///< the same, in parts (core/kernels/pairs/packed_source.hpp)
  A strength[targets][K::strengths];  ///< of targets that are sources, mirrored (Mirror)
  T* result[targets];

  [[gnu::always_inline]] inline void place(int d, int t, T x) {
    position[d][t] = x;
    part[0][d][t] = PackedSource<T, A>::take_part(x);
    if constexpr (PackedSource<T, A>::in_parts) part[1][d][t] = PackedSource<T, A>::take_part(x);
  }
};

/// The sources near a tile, found in single precision by their rough positions, with a margin. Their number
/// is kept by the caller, so that it stays in a register. Pairs are summed in the precision of V's lanes.
template <class V, class T, class K>
struct Neighbourhood {
  using A = typename V::value_type;
  using Pair = typename K::Near;
  using Packed = PackedSource<T, A>;
  using Rough = xsimd::batch<float, typename V::arch_type>;
  static constexpr int lanes = int(V::size), rough_lanes = int(Rough::size),
                       capacity = Candidates<Rough>::capacity + targets_per_cluster;
  static constexpr int width = Packed::width(K::strengths), read = Packed::read(K::strengths),
                       row_width = result_row(K::results);
  static constexpr int looked_up_together = 8;
  /// Targets whose pairs with a vector of sources are summed together: as many as registers allow.
  /// Summing four doubles takes longer than finding them: then tiles have no more targets than that.
  static constexpr int registers = V::size * sizeof(A) == 64 ? 32 : 16,
                       at_once = 8 * Pair::polynomials < registers ? 4 : 2,
                       targets = V::size == 4 && sizeof(A) == 8 ? at_once : targets_per_tile;
  using Targets = Tile<T, A, K, targets>;
  int number[capacity + rough_lanes] = {};  ///< index of each source in its block
  A const* record[capacity + looked_up_together + lanes];
  T* row[capacity + looked_up_together + lanes];  ///< where mutual pairs store what targets contribute to sources
  T nowhere[row_width];

  /// Appends those of the candidates first .. last - 1 that are near one of the targets
  /// and returns the new count. Of each target it gets -2 times its position relative
  /// to the corner of the cluster, and the square of its distance from the corner.
  [[gnu::always_inline]] inline int find(int count, Candidates<Rough> const& candidates, int first, int last,
                                         Rough const (*x)[4]) {
    for (int j = first; j < last; j += rough_lanes) {
      Rough at[3], least;
      for (int d = 0; d < 3; ++d) at[d] = Rough::load_unaligned(candidates.position[d] + j);
      for (int t = 0; t < targets; ++t) {
        Rough const square = x[t][2] * at[2] + (x[t][1] * at[1] + (x[t][0] * at[0] + x[t][3]));
        least = t == 0 ? square : xsimd::min(least, square);
      }
      int const rest = last - j;
      unsigned const there = rest < rough_lanes ? (1u << rest) - 1 : ~0u;
      unsigned const within = bits_of(least < Rough::load_unaligned(candidates.room + j)) & there;
      append_lanes<rough_lanes>(within, candidates.number + j, number + count);
      count += __builtin_popcount(within);
    }
    return count;
  }

  /// The sources from `begin` on are in this block.
  [[gnu::always_inline]] inline void look_up(A const* records, int begin, int count) {
    for (int i = begin; i < count; i += looked_up_together)
      for (int k = 0; k < looked_up_together; ++k) record[i + k] = records + std::int64_t(number[i + k]) * width;
  }
  /// Their mutual contributions go to rows of this array, which begins with point `first`.
  [[gnu::always_inline]] inline void look_up_rows(T* results, int first, int begin, int count) {
    for (int i = begin; i < count; i += looked_up_together)
      for (int k = 0; k < looked_up_together; ++k)
        row[i + k] = results + std::int64_t(number[i + k] - first) * row_width;
  }

  /// Adds their contributions to the targets; if mutual, also those of the targets to their rows.
  template <bool mutual>
  [[gnu::always_inline]] inline void sum(int count, EwaldTables<T> const& tables, Targets const& tile,
                                         V (*u)[row_width]) {
    static constexpr A nobody[width] = {far_away<A>};
    for (int i = count; i < count + lanes; ++i) {
      record[i] = nobody;
      if (mutual) row[i] = nowhere;
    }
    for (int i = 0; i < count; i += lanes) {
      V source[read], w[row_width];
      for (int c = 0; c < read; c += 4) load_columns(record + i, c, source + c);
      for (V& component : w) component = V(A(0));
      for (int t = 0; t < targets; t += at_once) add<mutual>(tables, i, tile, t, source, u, w);
      if constexpr (mutual) {
        for (int m = 0; m < K::results; ++m)
          if (Mirror<K>::result(m) < 0) w[m] = -w[m];
        add_to_rows<row_width>(w, row + i);
      }
    }
  }

 private:
  /// For the targets from `first` on, and the vector of sources that begins with number i.
  template <bool mutual>
  [[gnu::always_inline]] inline void add(EwaldTables<T> const& tables, int i, Targets const& tile, int first,
                                         V const* source, V (*u)[row_width], V* w) {
    NearKernel<A> const& near = tables.template near_in<A>();
    V const zero(A(0)), limit(near.cutoff_squared);
    V r[at_once][3], r2[at_once], inverse[at_once], factor[at_once][Pair::factor_count];
    for (int n = 0; n < at_once; ++n) {
      for (int d = 0; d < 3; ++d) {
        r[n][d] = V(tile.part[0][d][first + n]) - source[d];
        if constexpr (Packed::in_parts) r[n][d] = r[n][d] + (V(tile.part[1][d][first + n]) - source[3 + d]);
      }
      r2[n] = r[n][0] * r[n][0] + r[n][1] * r[n][1] + r[n][2] * r[n][2];
    }
    if constexpr (Packed::in_parts) {
      V least = r2[0];
      for (int n = 1; n < at_once; ++n) least = xsimd::min(least, r2[n]);
      if (V const close(near.close_squared()); bits_of(least < close) != 0)
        for (int n = 0; n < at_once; ++n) r2[n] = add_close<mutual>(tables.near, i, tile, first + n, r2[n], close);
    }
    for (int n = 0; n < at_once; ++n) inverse[n] = xsimd::select(r2[n] > zero, inverse_sqrt(r2[n]), zero);
    near_factors<Pair, at_once>(near, r2, inverse, factor);
    for (int n = 0; n < at_once; ++n) {
      auto const within = r2[n] < limit;
      for (V& f : factor[n]) f = xsimd::select(within, f, zero);
      Pair::add(factor[n], r[n][0], r[n][1], r[n][2], source + Packed::first_strength, u[first + n]);
      if constexpr (mutual) {
        V strength[K::strengths];
        for (int c = 0; c < K::strengths; ++c) strength[c] = V(tile.strength[first + n][c]);
        Pair::add(factor[n], r[n][0], r[n][1], r[n][2], strength, w);
      }
    }
  }

  /// Sums the pairs of target t that are too close for precision A in T, and moves them beyond the cutoff
  /// in the squared distances, which it returns. Pairs at distance 0, as of a target with itself, stay.
  template <bool mutual>
  [[gnu::noinline]] V add_close(NearKernel<T> const& near, int i, Targets const& tile, int t, V r2, V close) {
    alignas(64) A square[lanes];
    r2.store_aligned(square);
    for (unsigned bits = bits_of(r2 < close); bits != 0; bits &= bits - 1) {
      int const k = __builtin_ctz(bits);
      A const* const source = record[i + k];
      T r[3], strength[K::strengths], factor[1][Pair::factor_count];
      for (int d = 0; d < 3; ++d) r[d] = tile.position[d][t] - Packed::position(source, K::strengths, d);
      T const exact = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      if (!(exact > 0)) continue;
      square[k] = A(near.cutoff_squared * 2);
      T const inverse = T(1) / __builtin_sqrt(exact);
      near_factors<Pair, 1>(near, &exact, &inverse, factor);
      for (int m = 0; m < K::strengths; ++m) strength[m] = T(source[Packed::first_strength + m]);
      Pair::add(factor[0], r[0], r[1], r[2], strength, tile.result[t]);
      if (!mutual) continue;
      T back[row_width] = {};
      for (int m = 0; m < K::strengths; ++m) strength[m] = T(tile.strength[t][m]);
      Pair::add(factor[0], r[0], r[1], r[2], strength, back);
      for (int m = 0; m < K::results; ++m) row[i + k][m] += T(Mirror<K>::result(m)) * back[m];
    }
    return V::load_aligned(square);
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For fmm_p2p_simd.cpp only, like simd_batch.hpp.

#include "codelets/common/simd/lanes_simd.hpp"
#include "codelets/fmm/fmm_p2p/close_pairs.hpp"
#include "codelets/fmm/fmm_p2p/split_points.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

/// Sums of the pairs of a leaf in the precision of V's lanes, in a solve in precision T (close_pairs.hpp), for one
/// vector of strengths. `targets` are all points of the leaf; results are those of its block.
template <class V, class K, class T>
struct MixedSums {
  using L = Lanes<V>;
  using A = typename L::Scalar;
  using Pair = typename K::Bare;
  static constexpr int lanes = L::count, results = K::results, strengths = K::strengths, targets_of_mutual = 4;

  SplitPoints<T, A>&targets, &sources;
  T const* target;  ///< x of the first target; its result; where it is among the sources, for mutual sums
  T* result;
  T const* as_source;
  std::int64_t stride;
  T scale;
  int strength;  ///< row of the first strength

  /// Batches of targets from number `first` on, lanes holding targets. `own`: the source that is target 0; -1: none.
  template <int Vectors>
  void add(int first, int own) {
    V x[Vectors][6];
    for (int v = 0; v < Vectors; ++v)
      for (int d = 0; d < 6; ++d) x[v][d] = L::load_unaligned(targets.row(d) + first + v * lanes);
    int const rest = targets.count - first, some = rest < Vectors * lanes ? rest : Vectors * lanes;
    // Targets meet themselves between these two.
    int const self = own < 0 ? sources.count : own + first, after = own < 0 ? sources.count : self + some;
    for (int from = 0, to; from < sources.count; from = to) {
      int const border = from < self ? self : from < after ? after : sources.count;
      to = from + sources_in_single < border ? from + sources_in_single : border;
      V sum[Vectors][results];
      for (int begin = from, end; begin < to; begin = end) {
        end = begin + sources_in_turn < to ? begin + sources_in_turn : to;
        V u[Vectors][results];
        for (auto& of_batch : u)
          for (V& component : of_batch) component = V(A(0));
        if (begin >= self && begin < after)
          for (int j = begin; j < end; ++j) add_source<true>(x, j, j - self, first, some, u);
        else
          for (int j = begin; j < end; ++j) add_source<false>(x, j, 0, first, some, u);
        for (int v = 0; v < Vectors; ++v)
          for (int m = 0; m < results; ++m) sum[v][m] = begin == from ? u[v][m] : sum[v][m] + u[v][m];
      }
      for (int v = 0; v < Vectors; ++v)
        for (int m = 0; m < results; ++m) put(sum[v][m], m, first + v * lanes, some - v * lanes);
    }
  }

  /// The targets from number `first` on, lanes holding sources, which receive as much: one sum for both.
  void add_mutual(int first, T const* own_strength, A* received) {
    int const rest = targets.count - first, some = rest < targets_of_mutual ? rest : targets_of_mutual;
    V x[targets_of_mutual][6], f[targets_of_mutual][strengths], u[targets_of_mutual][results];
    for (int t = 0; t < targets_of_mutual; ++t) {
      int const i = first + (t < some ? t : 0);
      for (int d = 0; d < 6; ++d) x[t][d] = V(targets.row(d)[i]);
      for (int m = 0; m < strengths; ++m)
        f[t][m] = V(t < some ? A(T(Mirror<K>::strength(m)) * strength_scale<K>(m, scale) * own_strength[m * stride + i])
                             : A(0));
      for (V& component : u[t]) component = V(A(0));
    }
    V const limit = V(A(close_squared));
    for (int j = 0; j < sources.count; j += lanes) {
      V y[6], g[strengths], w[results];
      for (int d = 0; d < 6; ++d) y[d] = L::load_unaligned(sources.row(d) + j);
      for (int m = 0; m < strengths; ++m) g[m] = L::load_unaligned(sources.row(strength + m) + j);
      for (V& component : w) component = V(A(0));
      for (int t = 0; t < targets_of_mutual; ++t) {
        V r[3];
        for (int d = 0; d < 3; ++d) r[d] = (x[t][d] - y[d]) + (x[t][3 + d] - y[3 + d]);
        V const r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        auto const close = r2 < limit;
        if (xsimd::any(close)) [[unlikely]]
          if (t < some) add_close_sources(r2, j, first + t, own_strength);
        V const inverse = xsimd::select(close, V(A(0)), inverse_sqrt(r2));
        Pair::add(inverse, r[0], r[1], r[2], g, u[t]);
        Pair::add(inverse, r[0], r[1], r[2], f[t], w);
      }
      for (int m = 0; m < results; ++m)
        L::store_unaligned(received + m * sources.stride + j,
                           L::load_unaligned(received + m * sources.stride + j) + V(A(Mirror<K>::result(m))) * w[m]);
    }
    for (int t = 0; t < some; ++t)
      for (int m = 0; m < results; ++m) {
        alignas(64) A sum[lanes];
        L::store(sum, u[t][m]);
        T total = T(0);
        for (A s : sum) total += T(s);
        result[m * stride + first + t] += unit(m) * total;
      }
  }

  /// Adds what the sources received to their results.
  void give_received(A const* received) const {
    for (int p = 0; p < sources.pieces; ++p) {
      auto const& piece = sources.piece[p];
      int const last = p + 1 < sources.pieces ? sources.piece[p + 1].first : sources.count;
      for (int m = 0; m < results; ++m) {
        T* const to = result + m * stride + (piece.x - as_source);
        A const* const from = received + m * sources.stride + piece.first;
        for (int k = 0; k < last - piece.first; ++k) to[k] += unit(m) * T(from[k]);
      }
    }
  }

  /// The unit of a result.
  NEARFAR_FUNCTION T unit(int m) const { return result_scale<K>(m, scale); }

 private:
  /// `self`: the target, from number `first` on, that is source j itself.
  template <bool Self, int Vectors>
  [[gnu::always_inline]] inline void add_source(V const (&x)[Vectors][6], int j, int self, int first, int some,
                                                V (&u)[Vectors][results]) {
    A const* const number = sources.row(0) + j;
    V y[6], f[strengths], r[Vectors][3], r2[Vectors];
    for (int d = 0; d < 6; ++d) y[d] = V(number[d * sources.stride]);
    for (int m = 0; m < strengths; ++m) f[m] = V(number[(strength + m) * sources.stride]);
    V const limit = V(A(close_squared)), far = V(A(1));
    for (int v = 0; v < Vectors; ++v) {
      for (int d = 0; d < 3; ++d) r[v][d] = (x[v][d] - y[d]) + (x[v][3 + d] - y[3 + d]);
      r2[v] = r[v][0] * r[v][0] + r[v][1] * r[v][1] + r[v][2] * r[v][2];
    }
    V least = r2[0];
    for (int v = 0; v < Vectors; ++v) {
      V checked = r2[v];
      if constexpr (Self) checked = xsimd::select(is_lane(self - v * lanes), far, checked);
      least = v == 0 ? checked : xsimd::min(least, checked);
    }
    if (xsimd::any(least < limit)) [[unlikely]]
      add_close_targets<Vectors>(r2, j, Self ? self : -1, first, some);
    for (int v = 0; v < Vectors; ++v)
      Pair::add(xsimd::select(r2[v] < limit, V(A(0)), inverse_sqrt(r2[v])), r[v][0], r[v][1], r[v][2], f, u[v]);
  }
  static auto is_lane(int lane) { return V::load_aligned(lane_numbers<A>.value) == V(A(lane)); }

  /// Adds the first `count` lanes to result m of the targets from number i on.
  [[gnu::always_inline]] inline void put(V sum, int m, int i, int count) {
    T const factor = unit(m);
    T* const to = result + m * stride + i;
    alignas(64) A lane[lanes];
    L::store(lane, sum);
    if (count >= lanes)
      for (int k = 0; k < lanes; ++k) to[k] += factor * T(lane[k]);
    else
      for (int k = 0; k < count; ++k) to[k] += factor * T(lane[k]);
  }

  template <int Vectors>
  [[gnu::noinline]] void add_close_targets(V const* r2, int j, int self, int first, int some) {
    alignas(64) A square[Vectors * lanes];
    for (int v = 0; v < Vectors; ++v) L::store(square + v * lanes, r2[v]);
    T f[strengths];
    for (int m = 0; m < strengths; ++m) f[m] = T(sources.row(strength + m)[j]);
    T r[3];
    for (int i = 0; i < some; ++i)
      if (square[i] < A(close_squared) && i != self) add_close(first + i, j, f, r);
  }
  [[gnu::noinline]] void add_close_sources(V r2, int j, int i, T const* own_strength) {
    alignas(64) A square[lanes];
    L::store(square, r2);
    for (int k = 0; k < lanes && j + k < sources.count; ++k) {
      if (!(square[k] < A(close_squared))) continue;
      T f[strengths], w[results] = {}, r[3];
      for (int m = 0; m < strengths; ++m) f[m] = T(sources.row(strength + m)[j + k]);
      ClosePair const pair = add_close(i, j + k, f, r);
      for (int m = 0; m < strengths; ++m)
        f[m] = T(Mirror<K>::strength(m)) * strength_scale<K>(m, scale) * own_strength[m * stride + i];
      Pair::add(pair.inverse, r[0], r[1], r[2], f, w);
      for (int m = 0; m < results; ++m)
        result[m * stride + (pair.source - as_source)] += unit(m) * T(Mirror<K>::result(m)) * w[m];
    }
  }
  struct ClosePair {
    T const* source;  ///< its x
    T inverse;        ///< of the distance
  };
  /// Adds the pair of target i and source j, of these strengths, in T.
  [[gnu::always_inline]] inline ClosePair add_close(int i, int j, T const* f, T* r) {
    T u[results] = {};
    T const* const source = sources.difference(target + i, stride, j, scale, r);
    T const inverse = Lanes<T>::inverse_root(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    Pair::add(inverse, r[0], r[1], r[2], f, u);
    for (int m = 0; m < results; ++m) result[m * stride + i] += unit(m) * u[m];
    return {source, inverse};
  }
};

}  // namespace nearfar

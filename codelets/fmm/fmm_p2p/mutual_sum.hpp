// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For fmm_p2p_simd.cpp only, like simd_batch.hpp.

#include "codelets/common/simd/lanes_simd.hpp"
#include "core/kernels/kernels.hpp"

#include <cstdint>

namespace nearfar {

/// Pairs of a few targets with sources that are targets of the same block, summed once for both.
/// Lanes hold consecutive sources, so what those receive is added without sums across lanes.
template <class V, class K>
struct MutualSum {
  using L = Lanes<V>;
  using T = typename L::Scalar;
  using Pair = typename K::Bare;
  static constexpr int lanes = L::count, targets = 4;

  V x[targets][3], f[targets][K::strengths], u[targets][K::results];

  /// For the targets first .. last, at most as many as fit.
  void begin(T const* position, T const* strength, std::int64_t stride, int first, int last) {
    for (int t = 0; t < targets; ++t) {
      bool const there = first + t < last;
      int const j = there ? first + t : first;
      for (int d = 0; d < 3; ++d) x[t][d] = V(position[d * stride + j]);
      for (int c = 0; c < K::strengths; ++c)
        f[t][c] = V(there ? T(Mirror<K>::strength(c)) * strength[c * stride + j] : T(0));
      for (V& component : u[t]) component = V(T(0));
    }
  }

  /// The sources first .. last, moved by `shift`; `result` is theirs. Targets or sources are moved, as in PairSum.
  void add(T const* position, T const* strength, T* result, std::int64_t stride, int first, int last, T const* shift) {
    if (shift[0] < 0 || shift[1] < 0 || shift[2] < 0)
      add_moved<true>(position, strength, result, stride, first, last, shift);
    else add_moved<false>(position, strength, result, stride, first, last, shift);
  }

  /// Adds what the targets received.
  void put(T* result, std::int64_t stride, int first, int last) {
    constexpr int count = targets * K::results, rounds = (count + lanes - 1) / lanes;
    V value[rounds * lanes];
    for (int i = 0; i < rounds * lanes; ++i) value[i] = i < count ? u[i / K::results][i % K::results] : V(T(0));
    alignas(64) T total[rounds * lanes];
    for (int r = 0; r < rounds; ++r) L::store(total + r * lanes, L::sums(value + r * lanes));
    for (int t = 0; t < targets && first + t < last; ++t)
      for (int m = 0; m < K::results; ++m) result[m * stride + first + t] += total[t * K::results + m];
  }

 private:
  /// Which lanes count: all, the first `rest`, or the last
  /// `rest`; lanes that do not count may hold anything.
  enum Part { all, few, last_ones };

  template <bool Back>
  void add_moved(T const* position, T const* strength, T* result, std::int64_t stride, int first, int last,
                 T const* shift) {
    V at[targets][3], total[targets][K::results];  // local, since compilers do not keep members in registers
    for (int t = 0; t < targets; ++t) {
      for (int d = 0; d < 3; ++d) at[t][d] = x[t][d] - V(Back && shift[d] < 0 ? T(0) : shift[d]);
      for (int m = 0; m < K::results; ++m) total[t][m] = u[t][m];
    }
    V back[3];
    for (int d = 0; d < 3; ++d) back[d] = V(Back && shift[d] < 0 ? shift[d] : T(0));
    int j = first;
    for (; j + lanes <= last; j += lanes)
      sum<all, Back>(at, back, total, position + j, strength + j, result + j, stride, lanes);
    if (last - first < lanes) sum<few, Back>(at, back, total, position + j, strength + j, result + j, stride, last - j);
    else if (j < last) {
      int const from = last - lanes;
      sum<last_ones, Back>(at, back, total, position + from, strength + from, result + from, stride, last - j);
    }
    for (int t = 0; t < targets; ++t)
      for (int m = 0; m < K::results; ++m) u[t][m] = total[t][m];
  }

  template <Part part, bool Back>
  [[gnu::always_inline]] inline void sum(V const (*at)[3], V const* back, V (*total)[K::results], T const* position,
                                         T const* strength, T* result, std::int64_t stride, int rest) const {
    V const zero(T(0));
    V y[3], g[K::strengths], w[K::results];
    auto const load = [&](T const* p) { return part == few ? L::load_first(p, rest) : L::load_unaligned(p); };
    for (int d = 0; d < 3; ++d) y[d] = Back ? load(position + d * stride) + back[d] : load(position + d * stride);
    for (int c = 0; c < K::strengths; ++c) g[c] = load(strength + c * stride);
    for (V& component : w) component = zero;
    auto const counts = part == few ? V::load_aligned(lane_numbers<T>.value) < V(T(rest))
                                    : V::load_aligned(lane_numbers<T>.value) >= V(T(lanes - rest));
    for (int t = 0; t < targets; ++t) {
      V const rx = at[t][0] - y[0], ry = at[t][1] - y[1], rz = at[t][2] - y[2];
      V inverse = L::inverse_root(rx * rx + ry * ry + rz * rz);
      if (part != all) inverse = xsimd::select(counts, inverse, zero);
      Pair::add(inverse, rx, ry, rz, g, total[t]);
      Pair::add(inverse, rx, ry, rz, f[t], w);
    }
    for (int m = 0; m < K::results; ++m) {
      V const got = load(result + m * stride) + V(T(Mirror<K>::result(m))) * w[m];
      if (part == few) L::store_first(result + m * stride, got, rest);
      else L::store_unaligned(result + m * stride, got);
    }
  }
};

}  // namespace nearfar

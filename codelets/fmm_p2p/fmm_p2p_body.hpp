// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm_args.hpp"
#include "codelets/lanes.hpp"
#include "codelets/stage.hpp"
#include "core/bare_pair.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// Vectors batches of targets at once, lanes holding targets: each source is loaded once for all of them.
template <class V, int Vectors, Kernel K, bool G>
struct PairSum {
  using L = Lanes<V>;
  using T = typename L::Scalar;
  using Pair = BarePair<K, G>;
  static constexpr int targets = Vectors * L::count;

  V x[Vectors][3], u[Vectors][Pair::results];

  [[gnu::always_inline]] inline void begin(T const* position, std::int64_t stride, int first, int last) {
    for (int v = 0; v < Vectors; ++v) {
      int const j = first + v * L::count;
      for (int d = 0; d < 3; ++d) x[v][d] = j < last ? L::load_first(position + d * stride + j, last - j) : V(T(0));
      for (V& component : u[v]) component = V(T(0));
    }
  }

  /// Sources first .. last of a block, moved by `shift`.
  [[gnu::always_inline]] inline void add(T const* position, T const* strength, std::int64_t stride, int first, int last,
                                         T const* shift) {
    V at[Vectors][3], sum[Vectors][Pair::results];
    for (int v = 0; v < Vectors; ++v) {
      for (int d = 0; d < 3; ++d) at[v][d] = x[v][d] - V(shift[d]);
      for (int m = 0; m < Pair::results; ++m) sum[v][m] = u[v][m];
    }
    for (int j = first; j < last; ++j) {
      V y[3], f[Pair::strengths];
      for (int d = 0; d < 3; ++d) y[d] = V(position[d * stride + j]);
      for (int m = 0; m < Pair::strengths; ++m) f[m] = V(strength[m * stride + j]);
      for (int v = 0; v < Vectors; ++v) {
        V const rx = at[v][0] - y[0], ry = at[v][1] - y[1], rz = at[v][2] - y[2];
        Pair::add(L::inverse_root(rx * rx + ry * ry + rz * rz), rx, ry, rz, f, sum[v]);
      }
    }
    for (int v = 0; v < Vectors; ++v)
      for (int m = 0; m < Pair::results; ++m) u[v][m] = sum[v][m];
  }

  [[gnu::always_inline]] inline void put(T* result, std::int64_t stride, int first, int last) const {
    for (int v = 0; v < Vectors; ++v) {
      int const j = first + v * L::count;
      if (j >= last) return;
      for (int m = 0; m < Pair::results; ++m) L::store_first(result + m * stride + j, u[v][m], last - j);
    }
  }
};

/// The buffers of a task.
template <class T>
struct FmmP2PBuffers {
  Leaf const* leaf;
  PairTable<PointRun> table;
  T const* target;
  std::int64_t stride;
  T* result;
  Buffers buffers;

  NEARFAR_FUNCTION explicit FmmP2PBuffers(Buffers const& b)
      : leaf(b.get<Leaf const>(0)), table(b.get<std::int32_t const>(1)), target(b.get<T const>(2)),
        stride(b.size<T>(2) / 3), result(b.get<T>(4)), buffers(b) {}
};

/// Targets first .. last of leaf i.
template <class V, int Vectors, Kernel K, bool G, class T>
NEARFAR_FUNCTION void pair_sums(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i, int first, int last) {
  using Sum = PairSum<V, Vectors, K, G>;
  Range const& range = b.table.range(i);
  double const edge[3] = {args.edge * args.aspect[0], args.edge * args.aspect[1], args.edge * args.aspect[2]};
  for (int c = 0; c < args.vectors; ++c) {
    Sum sum;
    sum.begin(b.target, b.stride, first, last);
    for (int k = range.first; k < range.first + range.count; ++k) {
      PointRun const& run = b.table.item(k);
      T const* const position = b.buffers.template get<T const>(3, 2 * run.buffer);
      T const* const strength = b.buffers.template get<T const>(3, 2 * run.buffer + 1);
      std::int64_t const stride = b.buffers.template size<T>(3, 2 * run.buffer) / 3;
      T const shift[3] = {T(run.image[0] * edge[0]), T(run.image[1] * edge[1]), T(run.image[2] * edge[2])};
      sum.add(position, strength + c * Sum::Pair::strengths * stride, stride, run.first, run.last, shift);
    }
    sum.put(b.result + c * Sum::Pair::results * b.stride, b.stride, first, last);
  }
}

}  // namespace nearfar

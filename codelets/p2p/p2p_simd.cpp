// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/simd_batch.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// A run of sources.
template <class T>
struct Run {
  T const* position;
  T const* strength;
  std::int64_t stride;
  int first, last;
  T const* shift;
};

/// A stretch of source cells along z beside a column of target cells; offset[z] is where the points of cell z begin.
template <class T>
struct Stretch {
  BlockView<T> source;
  std::int32_t const* offset;
  int low, high;  ///< cells, unwrapped as the targets see them
  int reach;
  T shift[3];
};
constexpr int most_stretches = 256;

/// The sources within the cutoff of one target, relative to it, close together: full vectors for the kernel, however
/// few of the points in a run are near enough.
template <class V, class T, class Pair>
struct Neighbourhood {
  static constexpr int lanes = int(V::size);
  static constexpr int capacity = 512;
  int count = 0;
  alignas(64) T r[3][capacity + lanes];
  alignas(64) T strength[Pair::strengths][capacity + lanes];

  /// Adds the points of a run; `limit` is the square of the cutoff.
  [[gnu::always_inline]] inline void collect(Run<T> const& run, T const* x, V limit) {
    V const tx(x[0] - run.shift[0]), ty(x[1] - run.shift[1]), tz(x[2] - run.shift[2]);
    for (int j = run.first; j < run.last; j += lanes) {
      T const* const p = run.position + j;
      V const dx = tx - V::load_unaligned(p), dy = ty - V::load_unaligned(p + run.stride),
              dz = tz - V::load_unaligned(p + 2 * run.stride);
      // Lanes past the end of the run hold points of the next one.
      int const rest = run.last - j;
      unsigned const in_run = rest < lanes ? (1u << rest) - 1 : ~0u;
      unsigned const within = bits_of(dx * dx + dy * dy + dz * dz < limit) & in_run;
      if (within == 0) continue;
      pack(within, dx, r[0] + count);
      pack(within, dy, r[1] + count);
      pack(within, dz, r[2] + count);
      for (int m = 0; m < Pair::strengths; ++m)
        pack(within, V::load_unaligned(run.strength + m * run.stride + j), strength[m] + count);
      count += __builtin_popcount(within);
    }
  }

  /// Sums what was collected, and forgets it.
  [[gnu::always_inline]] inline void sum(NearKernel<T> const& near, V* u) {
    // The last vector is filled with sources of no strength at the target: far ones would overflow the polynomials.
    for (int i = count; i < count + lanes; ++i) {
      for (auto& component : r) component[i] = T(0);
      for (auto& component : strength) component[i] = T(0);
    }
    V const zero(T(0));
    for (int i = 0; i < count; i += lanes) {
      V const dx = V::load_aligned(r[0] + i), dy = V::load_aligned(r[1] + i), dz = V::load_aligned(r[2] + i);
      V const r2 = dx * dx + dy * dy + dz * dz;
      V const inverse = xsimd::select(r2 > zero, inverse_sqrt(r2), zero);
      V f[Pair::strengths];
      for (int m = 0; m < Pair::strengths; ++m) f[m] = V::load_aligned(strength[m] + i);
      V factor[Pair::factor_count];
      Pair::factors(near, r2, inverse, factor);
      Pair::add(factor, dx, dy, dz, f, u);
    }
    count = 0;
  }
};

template <class Tag, class T, Kernel K, bool Gradient>
struct ColumnOfTargets {
  using Pair = NearPair<K, Gradient>;
  using V = Batch<T, Tag>;

  P2PBuffers<T> const& b;
  Share share;
  int stretches = 0;
  Stretch<T> stretch[most_stretches];
  Neighbourhood<V, T, Pair> around;

  /// Adds what the stretches give the targets of `count` cells; the first has this number in the block, and this z.
  void add(int cell, int z, int count) {
    V const limit(b.tables->near.cutoff_squared);
    Run<T> run[most_stretches];
    for (int i = 0; i < count; ++i) {
      int const first = std::max(b.offset[cell + i], share.first), last = std::min(b.offset[cell + i + 1], share.last);
      if (first >= last) continue;
      int const runs = runs_around(z + i, run);
      for (int t = first; t < last; ++t) add_to(t, run, runs, limit);
    }
    stretches = 0;
  }

  int runs_around(int z, Run<T>* run) const {
    int runs = 0;
    for (int i = 0; i < stretches; ++i) {
      Stretch<T> const& s = stretch[i];
      int const low = z - s.reach > s.low ? z - s.reach : s.low, high = z + s.reach < s.high ? z + s.reach : s.high;
      if (low > high || s.offset[low] == s.offset[high + 1]) continue;
      run[runs++] = {s.source.position, s.source.strength, s.source.stride, s.offset[low], s.offset[high + 1], s.shift};
    }
    return runs;
  }

  void add_to(int target, Run<T> const* run, int runs, V limit) {
    T const x[3] = {b.target[target], b.target[b.stride + target], b.target[2 * b.stride + target]};
    V u[Pair::results];
    for (V& component : u) component = V(T(0));
    for (int i = 0; i < runs; ++i) {
      Run<T> part = run[i];
      // Long runs go in pieces that fit.
      for (int const end = part.last; part.first < end; part.first = part.last) {
        if (around.count == around.capacity) around.sum(b.tables->near, u);
        int const room = around.capacity - around.count;
        part.last = end - part.first < room ? end : part.first + room;
        around.collect(part, x, limit);
      }
    }
    around.sum(b.tables->near, u);
    for (int m = 0; m < Pair::results; ++m) b.result[m * b.result_stride + target - share.first] += xsimd::hadd(u[m]);
  }
};

}  // namespace

/// Column by column: what is around a column of target cells is worked out once for all of them.
template <class Tag, class T, Kernel K, bool Gradient>
void p2p_simd(P2PBuffers<T> const& b, P2PArgs const& args) {
  Cells const& c = args.cells;
  int first[3], count[3];
  for (int d = 0; d < 3; ++d) {
    first[d] = c.first_cell(d, args.block.at[d]);
    count[d] = c.cells_in(d, args.block.at[d]);
  }
  Share const share = args.share;
  for (int m = 0; m < NearPair<K, Gradient>::results; ++m)
    for (int t = 0; t < share.count(); ++t) b.result[m * b.result_stride + t] = T(0);

  ColumnOfTargets<Tag, T, K, Gradient> targets{b, share, 0, {}, {}};
  for (int i = 0; i < count[0] * count[1]; ++i) {
    int const begin = b.offset[i * count[2]], end = b.offset[(i + 1) * count[2]];
    if (begin == end || end <= share.first) continue;
    if (begin >= share.last) break;
    for_each_column(c, first[0] + i / count[1], first[1] + i % count[1], [&](Column const& column) {
      for_each_stretch<T>(
          args, column, first[2] - column.reach, first[2] + count[2] - 1 + column.reach,
          [&](int n) { return b.source(n); },
          [&](BlockView<T> const& source, int cell, int z, int length, T const* shift) {
            if (targets.stretches == most_stretches) targets.add(i * count[2], first[2], count[2]);
            targets.stretch[targets.stretches++] = {source,       source.offset + cell - z,      z, z + length - 1,
                                                    column.reach, {shift[0], shift[1], shift[2]}};
          });
    });
    targets.add(i * count[2], first[2], count[2]);
  }
}

#define NEARFAR_INSTANTIATE(T)                                                                                 \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokeslet, false>(P2PBuffers<T> const&, P2PArgs const&); \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stresslet, false>(P2PBuffers<T> const&, P2PArgs const&); \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokes, false>(P2PBuffers<T> const&, P2PArgs const&);    \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, false>(P2PBuffers<T> const&, P2PArgs const&);   \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, true>(P2PBuffers<T> const&, P2PArgs const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

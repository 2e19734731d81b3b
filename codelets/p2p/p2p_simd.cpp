// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/simd_batch.hpp"

namespace nearfar {

namespace {

/// Runs of sources around one target cell, and how many are kept before they are worked off.
template <class T>
struct Run {
  T const* position;
  T const* strength;
  std::int64_t stride;
  int first, last;
  T shift[3];
};
constexpr int most_runs = 256;

/// The sources within the cutoff of one target, relative to it, close together: full vectors for the kernel, however few
/// of the points in a run are near enough.
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
    // The last vector is filled with sources of no strength, somewhere near.
    for (int i = count; i < count + lanes; ++i) {
      for (auto& component : r) component[i] = T(1);
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
void runs_onto_cell(P2PBuffers<T> const& b, Run<T> const* run, int runs, int first, int last) {
  using Pair = NearPair<K, Gradient>;
  using V = Batch<T, Tag>;
  NearKernel<T> const& near = b.tables->near;
  V const limit(near.cutoff_squared);
  Neighbourhood<V, T, Pair> around;
  for (int t = first; t < last; ++t) {
    T const x[3] = {b.target[t], b.target[b.stride + t], b.target[2 * b.stride + t]};
    V u[Pair::results];
    for (V& component : u) component = V(T(0));
    for (int i = 0; i < runs; ++i) {
      Run<T> part = run[i];
      int const end = part.last;
      // Long runs go in pieces that fit.
      for (; part.first < end; part.first = part.last) {
        int const room = around.capacity - around.count;
        part.last = end - part.first < room ? end : part.first + room;
        around.collect(part, x, limit);
        if (around.count + around.lanes > around.capacity || part.last < end) around.sum(near, u);
      }
    }
    around.sum(near, u);
    for (int m = 0; m < Pair::results; ++m) b.result[m * b.stride + t] += xsimd::hadd(u[m]);
  }
}

}  // namespace

template <class Tag, class T, Kernel K, bool Gradient>
void p2p_simd(P2PBuffers<T> const& b, P2PArgs const& args) {
  Run<T> run[most_runs];
  int const cells = cells_of_block(args.cells, args.block);
  for (int i = 0; i < cells; ++i) {
    int const first = b.offset[i], last = b.offset[i + 1];
    if (first == last) continue;
    for (int m = 0; m < NearPair<K, Gradient>::results; ++m)
      for (int t = first; t < last; ++t) b.result[m * b.stride + t] = T(0);
    int cell[3], runs = 0;
    cell_of_block(args.cells, args.block, i, cell);
    for_each_run<T>(args, cell, [&](int n) { return b.source(n); },
                    [&](BlockView<T> const& s, int from, int to, T const* shift) {
                      if (from == to) return;
                      run[runs++] = {s.position, s.strength, s.stride, from, to, {shift[0], shift[1], shift[2]}};
                      if (runs < most_runs) return;
                      runs_onto_cell<Tag, T, K, Gradient>(b, run, runs, first, last);
                      runs = 0;
                    });
    runs_onto_cell<Tag, T, K, Gradient>(b, run, runs, first, last);
  }
}

#define NEARFAR_INSTANTIATE(T)                                                                               \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokeslet, false>(P2PBuffers<T> const&, P2PArgs const&); \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stresslet, false>(P2PBuffers<T> const&, P2PArgs const&); \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokes, false>(P2PBuffers<T> const&, P2PArgs const&);    \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, false>(P2PBuffers<T> const&, P2PArgs const&);   \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, true>(P2PBuffers<T> const&, P2PArgs const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

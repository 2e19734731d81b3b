// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/simd_batch.hpp"

namespace nearfar {

namespace {

/// Targets that share a pass over the sources around them: enough to make loading those cheap, few enough for their sums to
/// stay in the first-level cache.
constexpr int batch = 16;

/// One run of sources onto one batch of targets: lanes hold sources, read where they lie.
template <class Tag, class T, Kernel K, bool Gradient>
struct RunOntoBatch {
  using Pair = NearPair<K, Gradient>;
  using V = Batch<T, Tag>;
  static constexpr int lanes = int(V::size);

  NearKernel<T> const& near;
  T beyond;  ///< a coordinate farther from the box than any cutoff
  int targets = 0;
  T x[3][batch];
  V sum[batch][Pair::results];

  [[gnu::always_inline]] inline void operator()(BlockView<T> const& s, int first, int last, T const* shift) {
    V const limit(near.cutoff_squared), zero(T(0));
    for (int j = first; j < last; j += lanes) {
      // Lanes past the end of the run hold points of the next one: they are put out of reach.
      auto const in_run = lane_numbers() < V(T(last - j));
      V const sx = xsimd::select(in_run, V::load_unaligned(s.position + j) + V(shift[0]), V(beyond));
      V const sy = V::load_unaligned(s.position + s.stride + j) + V(shift[1]);
      V const sz = V::load_unaligned(s.position + 2 * s.stride + j) + V(shift[2]);
      V f[Pair::strengths];
      for (int m = 0; m < Pair::strengths; ++m) f[m] = V::load_unaligned(s.strength + m * s.stride + j);
      for (int t = 0; t < targets; ++t) {
        V const dx = V(x[0][t]) - sx, dy = V(x[1][t]) - sy, dz = V(x[2][t]) - sz;
        V const r2 = dx * dx + dy * dy + dz * dz;
        auto const within = r2 < limit;
        if (!xsimd::any(within)) continue;
        V const inverse = xsimd::select(r2 > zero, inverse_sqrt(r2), zero);
        V factor[Pair::factor_count];
        Pair::factors(near, r2, inverse, factor);
        for (V& value : factor) value = xsimd::select(within, value, zero);
        Pair::add(factor, dx, dy, dz, f, sum[t]);
      }
    }
  }

  [[gnu::always_inline]] static inline V lane_numbers() {
    alignas(64) static constexpr T number[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return V::load_aligned(number);
  }
};

}  // namespace

template <class Tag, class T, Kernel K, bool Gradient>
void p2p_simd(P2PBuffers<T> const& b, P2PArgs const& args) {
  using Run = RunOntoBatch<Tag, T, K, Gradient>;
  Cells const& c = args.cells;
  Run run{b.tables->near, T(100 * (c.edge[0] + c.edge[1] + c.edge[2])), 0, {}, {}};
  int const cells = cells_of_block(c, args.block);
  for (int i = 0; i < cells; ++i) {
    int cell[3];
    cell_of_block(c, args.block, i, cell);
    for (int first = b.offset[i]; first < b.offset[i + 1]; first += batch) {
      int const rest = b.offset[i + 1] - first;
      run.targets = rest < batch ? rest : batch;
      for (int t = 0; t < run.targets; ++t) {
        for (int d = 0; d < 3; ++d) run.x[d][t] = b.target[d * b.stride + first + t];
        for (auto& s : run.sum[t]) s = typename Run::V(T(0));
      }
      for_each_run<T>(args, cell, [&](int n) { return b.source(n); }, run);
      for (int t = 0; t < run.targets; ++t)
        for (int m = 0; m < Run::Pair::results; ++m) b.result[m * b.stride + first + t] = xsimd::hadd(run.sum[t][m]);
    }
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

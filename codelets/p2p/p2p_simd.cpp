// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/simd_batch.hpp"

namespace nearfar {

namespace {

/// Sources that may act on the targets of one cell, shifted to the image that is near, in one list: full vectors whatever
/// the length of the runs. Small enough to stay in the first-level cache.
template <class T, int Strengths>
struct Gathered {
  static constexpr int capacity = 512;
  int count = 0;
  alignas(64) T position[3][capacity];
  alignas(64) T strength[Strengths][capacity];

  /// Fills the last vector with points beyond the cutoff of any target.
  void pad(int lanes, T far) {
    for (; count % lanes != 0; ++count) {
      for (int d = 0; d < 3; ++d) position[d][count] = far;
      for (int m = 0; m < Strengths; ++m) strength[m][count] = 0;
    }
  }
};

template <class Tag, class T, Kernel K, bool Gradient>
void flush(P2PBuffers<T> const& b, Cells const& cells, Gathered<T, NearPair<K, Gradient>::strengths>& list, int first,
           int last) {
  using Pair = NearPair<K, Gradient>;
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size);
  list.pad(lanes, T(100 * (cells.edge[0] + cells.edge[1] + cells.edge[2])));
  NearKernel<T> const& near = b.tables->near;
  V const limit(near.cutoff_squared), zero(T(0));
  for (int t = first; t < last; ++t) {
    V const x(b.target[t]), y(b.target[b.stride + t]), z(b.target[2 * b.stride + t]);
    V sum[Pair::results];
    for (V& s : sum) s = zero;
    for (int j = 0; j < list.count; j += lanes) {
      V const dx = x - V::load_aligned(&list.position[0][j]);
      V const dy = y - V::load_aligned(&list.position[1][j]);
      V const dz = z - V::load_aligned(&list.position[2][j]);
      V const r2 = dx * dx + dy * dy + dz * dz;
      auto const within = r2 < limit;
      if (!xsimd::any(within)) continue;
      V f[Pair::strengths];
      for (int m = 0; m < Pair::strengths; ++m) f[m] = V::load_aligned(&list.strength[m][j]);
      V const inverse = xsimd::select(r2 > zero, inverse_sqrt(r2), zero);
      V pa = zero, pb = zero;
      Pair::factors(near, r2, inverse, pa, pb);
      Pair::add(xsimd::select(within, pa, zero), xsimd::select(within, pb, zero), dx, dy, dz, f, sum);
    }
    for (int m = 0; m < Pair::results; ++m) b.result[m * b.stride + t] += xsimd::hadd(sum[m]);
  }
  list.count = 0;
}

}  // namespace

template <class Tag, class T, Kernel K, bool Gradient>
void p2p_simd(P2PBuffers<T> const& b, P2PArgs const& args) {
  using Pair = NearPair<K, Gradient>;
  using List = Gathered<T, Pair::strengths>;
  List list;
  int const cells = cells_of_block(args.cells, args.block);
  for (int i = 0; i < cells; ++i) {
    int const first = b.offset[i], last = b.offset[i + 1];
    if (first == last) continue;
    for (int m = 0; m < Pair::results; ++m)
      for (int t = first; t < last; ++t) b.result[m * b.stride + t] = 0;
    int cell[3];
    cell_of_block(args.cells, args.block, i, cell);
    for_each_run<T>(args, cell, [&](int n) { return b.source(n); },
                    [&](BlockView<T> const& s, int from, int to, T const* shift) {
                      for (int j = from; j < to; ++j) {
                        if (list.count == List::capacity) flush<Tag, T, K, Gradient>(b, args.cells, list, first, last);
                        for (int d = 0; d < 3; ++d) list.position[d][list.count] = s.position[d * s.stride + j] + shift[d];
                        for (int m = 0; m < Pair::strengths; ++m)
                          list.strength[m][list.count] = s.strength[m * s.stride + j];
                        ++list.count;
                      }
                    });
    flush<Tag, T, K, Gradient>(b, args.cells, list, first, last);
  }
}

#define NEARFAR_INSTANTIATE(T)                                                                               \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::stokeslet, false>(P2PBuffers<T> const&, P2PArgs const&); \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, false>(P2PBuffers<T> const&, P2PArgs const&);   \
  template void p2p_simd<NEARFAR_SIMD_TAG, T, Kernel::laplace, true>(P2PBuffers<T> const&, P2PArgs const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

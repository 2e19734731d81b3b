// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/fmm_p2p/fmm_p2p_simd.hpp"

#include "codelets/common/lanes_simd.hpp"
#include "codelets/fmm/fmm_p2p/mutual_sum.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

namespace {

/// Mean number of vectors of points per leaf from which on mutual sums are faster: the runs of sources within the block
/// each end with a partly filled vector. Measured with eight lanes: 36 points per leaf are too few, 72 gain a tenth.
constexpr int worth_while = 6;

/// The part of a run of sources that a leaf sums for its own points only. Within its own block that is the leaf itself,
/// where every point visits every other one.
PointRun for_leaf_alone(PointRun run, Leaf const& leaf, int own) {
  if (run.buffer != own) return run;
  if (run.first < leaf.first) run.first = leaf.first;
  if (run.last > leaf.last) run.last = leaf.last;
  return run;
}

/// The part that it sums for both sides: the later leaves of its block. Pairs with earlier leaves were summed by those.
PointRun for_both(PointRun run, Leaf const& leaf, int own) {
  if (run.buffer != own) run.last = run.first;
  else if (run.first < leaf.last) run.first = leaf.last;
  return run;
}

template <class V, Kernel K, bool G, class T>
void mutual_sums(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i) {
  using Sum = MutualSum<V, K, G>;
  Range const& range = b.table.range(i);
  Leaf const& leaf = b.leaf[i];
  T const* const strength = b.buffers.template get<T const>(3, 2 * args.own + 1);
  for (int c = 0; c < args.vectors; ++c) {
    T* const result = b.result + c * Sum::Pair::results * b.stride;
    T const* const strengths = strength + c * Sum::Pair::strengths * b.stride;
    for (int first = leaf.first; first < leaf.last; first += Sum::targets) {
      Sum sum;
      sum.begin(b.target, strengths, b.stride, first, leaf.last);
      for (int k = range.first; k < range.first + range.count; ++k)
        if (PointRun const run = for_both(b.table.item(k), leaf, args.own); run.first < run.last)
          sum.add(b.target, strengths, result, b.stride, run.first, run.last, RunSources<T>(b, args, run).shift);
      sum.put(result, b.stride, first, leaf.last);
    }
  }
}

}  // namespace

template <class Tag, class T, Kernel K, bool G>
void fmm_p2p_simd(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args) {
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size);
  int const leaves = b.table.targets(), points = leaves > 0 ? b.leaf[leaves - 1].last : 0;
  bool const mutual = args.own >= 0 && points >= worth_while * lanes * leaves;
  for (int m = 0; mutual && m < args.vectors * BarePair<K, G>::results; ++m)
    for (int t = 0; t < points; ++t) b.result[m * b.stride + t] = T(0);
  for (int i = 0; i < leaves; ++i) {
    Leaf const& leaf = b.leaf[i];
    auto const alone = [&](PointRun const& run) { return mutual ? for_leaf_alone(run, leaf, args.own) : run; };
    for (int first = leaf.first; first < leaf.last;)
      if (leaf.last - first > lanes) {
        int const last = leaf.last < first + 2 * lanes ? leaf.last : first + 2 * lanes;
        pair_sums<V, 2, K, G>(b, args, i, first, last, mutual, alone);
        first = last;
      } else {
        pair_sums<V, 1, K, G>(b, args, i, first, leaf.last, mutual, alone);
        first = leaf.last;
      }
    if (mutual) mutual_sums<V, K, G>(b, args, i);
  }
}

#define NEARFAR_INSTANTIATE(T, K, G) \
  template void fmm_p2p_simd<NEARFAR_SIMD_TAG, T, K, G>(FmmP2PBuffers<T> const&, FmmP2PArgs const&);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

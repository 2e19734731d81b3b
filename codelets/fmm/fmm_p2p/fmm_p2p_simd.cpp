// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/fmm_p2p/fmm_p2p_simd.hpp"

#include "codelets/common/simd/lanes_simd.hpp"
#include "codelets/fmm/fmm_p2p/mixed_sums.hpp"
#include "codelets/fmm/fmm_p2p/mutual_sum.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

/// Mean number of vectors of points per leaf from which on mutual sums are faster: the runs of sources within the block
/// each end with a partly filled vector. Measured with eight lanes: 36 points per leaf are too few, 72 gain a tenth.
constexpr int worth_while = 6;

/// Kernels with second slopes are rarely asked for. They sum each pair for its target only, one batch of targets at
/// once: that takes a quarter of the time to compile.
template <class K>
constexpr bool is_rare = K::Evaluation::slopes > 1;
template <class K>
constexpr int batches_at_once = is_rare<K> ? 1 : 2;

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

template <class V, class K, class T>
void mutual_sums(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i) {
  using Sum = MutualSum<V, K>;
  Range const& range = b.table.range(i);
  Leaf const& leaf = b.leaf[i];
  T const* const strength = b.buffers.template get<T const>(3, 2 * args.own + 1);
  for (int c = 0; c < args.vectors; ++c) {
    T* const result = b.result + c * K::results * b.stride;
    T const* const strengths = strength + c * K::strengths * b.stride;
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

/// Sums in T.
template <class Tag, class T, class K>
void sums(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i, bool mutual) {
  using V = Batch<T, Tag>;
  constexpr int lanes = int(V::size);
  Leaf const& leaf = b.leaf[i];
  auto const alone = [&](PointRun const& run) { return mutual ? for_leaf_alone(run, leaf, args.own) : run; };
  for (int first = leaf.first; first < leaf.last;)
    if (batches_at_once < K >> 1 && leaf.last - first > lanes) {
      int const last = leaf.last < first + 2 * lanes ? leaf.last : first + 2 * lanes;
      pair_sums<V, batches_at_once<K>, K>(b, args, i, first, last, mutual, alone);
      first = last;
    } else {
      int const last = leaf.last < first + lanes ? leaf.last : first + lanes;
      pair_sums<V, 1, K>(b, args, i, first, last, mutual, alone);
      first = last;
    }
  if constexpr (!is_rare<K>)
    if (mutual) mutual_sums<V, K>(b, args, i);
}

/// The parts of the runs around leaf i that `clip` leaves, as a leaf's sources. Returns which one is the leaf's first
/// target; -1: none is.
template <class K, class T, class A, class Clip>
int take_sources(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i, int strengths, LeafFrame<T> const& frame,
                 Clip const& clip, SplitPoints<T, A>& sources) {
  Range const& range = b.table.range(i);
  Leaf const& leaf = b.leaf[i];
  int own = -1;
  sources.clear();
  for (int k = range.first; k < range.first + range.count; ++k) {
    PointRun const run = clip(b.table.item(k));
    if (run.first >= run.last) continue;
    bool const image = run.image[0] != 0 || run.image[1] != 0 || run.image[2] != 0;
    if (run.buffer == args.own && !image && run.first <= leaf.first && leaf.last <= run.last)
      own = sources.count + leaf.first - run.first;
    RunSources<T> const from(b, args, run);
    sources.template add<K>(from.position, from.strength, from.stride, run.first, run.last, from.shift, strengths,
                            frame);
  }
  sources.end(strengths);
  return own;
}

/// Sums in A where that is not T; results are zero or partial sums before.
template <class Tag, class T, class K, class A>
void mixed_sums(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, int i, bool mutual, SplitSpace<T, A> space) {
  using V = Batch<A, Tag>;
  using Sums = MixedSums<V, K, T>;
  constexpr int lanes = int(V::size);
  Leaf const& leaf = b.leaf[i];
  int const count = leaf.last - leaf.first, strengths = args.vectors * Sums::strengths;
  if (count == 0) return;
  LeafFrame<T> const frame(b, args, leaf);
  T const here[3] = {T(0), T(0), T(0)};
  space.targets.clear();
  space.targets.template add<K>(b.target, nullptr, b.stride, leaf.first, leaf.last, here, 0, frame);
  space.targets.end(0);
  auto const sums_of = [&](int c) {
    return Sums{space.targets,
                space.sources,
                b.target + leaf.first,
                b.result + c * Sums::results * b.stride + leaf.first,
                mutual ? b.buffers.template get<T const>(3, 2 * args.own) + leaf.first : nullptr,
                b.stride,
                frame.scale,
                6 + c * Sums::strengths};
  };
  auto const alone = [&](PointRun const& run) { return mutual ? for_leaf_alone(run, leaf, args.own) : run; };
  int const own = take_sources<K>(b, args, i, strengths, frame, alone, space.sources);
  for (int c = 0; c < args.vectors; ++c)
    for (int first = 0; first < count;)
      if (batches_at_once < K >> 1 && count - first > lanes) {
        sums_of(c).template add<batches_at_once<K>>(first, own);
        first += 2 * lanes;
      } else {
        sums_of(c).template add<1>(first, own);
        first += lanes;
      }
  if constexpr (!is_rare<K>) {
    if (!mutual) return;
    auto const both = [&](PointRun const& run) { return for_both(run, leaf, args.own); };
    take_sources<K>(b, args, i, strengths, frame, both, space.sources);
    if (space.sources.count == 0) return;
    std::int64_t const numbers = args.vectors * Sums::results * space.sources.stride;
    for (std::int64_t n = 0; n < numbers; ++n) space.received[n] = A(0);
    T const* const strength = b.buffers.template get<T const>(3, 2 * args.own + 1) + leaf.first;
    for (int c = 0; c < args.vectors; ++c) {
      A* const received = space.received + c * Sums::results * space.sources.stride;
      Sums sums = sums_of(c);
      for (int first = 0; first < count; first += Sums::targets_of_mutual)
        sums.add_mutual(first, strength + c * Sums::strengths * b.stride, received);
      sums.give_received(received);
    }
  }
}

}  // namespace

template <class Tag, class T, class K, class A>
void fmm_p2p_simd(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, [[maybe_unused]] SplitSpace<T, A> const& space) {
  constexpr int lanes = int(Batch<A, Tag>::size);
  constexpr bool mixed = sizeof(A) < sizeof(T);
  int const leaves = b.table.targets(), points = leaves > 0 ? b.leaf[leaves - 1].last : 0;
  bool const mutual = !is_rare<K> && args.own >= 0 && points >= worth_while * lanes * leaves;
  for (int m = 0; (mutual || mixed) && m < args.vectors * K::results; ++m)
    for (int t = 0; t < points; ++t) b.result[m * b.stride + t] = T(0);
  for (int i = 0; i < leaves; ++i)
    if constexpr (mixed) mixed_sums<Tag, T, K, A>(b, args, i, mutual, space);
    else sums<Tag, T, K>(b, args, i, mutual);
}

#define NEARFAR_INSTANTIATE(T, A, K)                                                                \
  template void fmm_p2p_simd<NEARFAR_SIMD_TAG, T, K, A>(FmmP2PBuffers<T> const&, FmmP2PArgs const&, \
                                                        SplitSpace<T, A> const&);
NEARFAR_EACH_LEAF_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/p2p/p2p_simd.hpp"

#include "codelets/simd_records.hpp"

namespace nearfar {

namespace {

/// A stretch of source cells along z beside a column of target cells; offset[z] is where the points of cell z begin.
template <class T>
struct Stretch {
  SourceView<T> source;
  std::int32_t const* offset;
  int low, high;  ///< cells, unwrapped as the targets see them
  int reach;
  T shift[3];
};
constexpr int most_stretches = 256;

/// Whether they are of one block and image.
template <class T>
bool alike(Stretch<T> const& a, Stretch<T> const& b) {
  return a.source.record == b.source.record && a.shift[0] == b.shift[0] && a.shift[1] == b.shift[1] &&
         a.shift[2] == b.shift[2];
}

/// A run of sources; those of one block and image come one after the other.
template <class T>
struct Run {
  Stretch<T> const* of;
  int first, last;
};

/// The sources near one target, found in single precision by their rough positions, a hair too many: full vectors for
/// the kernel, however few of the points in a run are near enough. How many there are is the caller's to keep, so that
/// it stays in a register.
template <class V, class T, class Pair>
struct Neighbourhood {
  using Rough = xsimd::batch<float, typename V::arch_type>;
  static constexpr int lanes = int(V::size), rough_lanes = int(Rough::size), together = 8;
  static constexpr int capacity = 512, width = record_width(Pair::strengths);
  int number[capacity + rough_lanes] = {};  ///< of sources in their block
  T const* record[capacity + lanes + together];
  T image[capacity][width];  ///< copies of those that are shifted
  T nobody[width] = {};

  /// Appends the near ones of sources first .. last - 1 and returns how many there are then; x is where the target is
  /// for their image, `limit` the square of the cutoff and a hair.
  [[gnu::always_inline]] inline int find(int count, SourceView<T> const& source, int first, int last, Rough const* x,
                                         Rough limit) {
    for (int j = first; j < last; j += rough_lanes) {
      float const* const p = source.rough + j;
      Rough const dx = x[0] - Rough::load_unaligned(p), dy = x[1] - Rough::load_unaligned(p + source.stride),
                  dz = x[2] - Rough::load_unaligned(p + 2 * source.stride);
      // Lanes past the end of the run hold points of the next one.
      int const rest = last - j;
      unsigned const in_run = rest < rough_lanes ? (1u << rest) - 1 : ~0u;
      unsigned const within = bits_of(dx * dx + dy * dy + dz * dz < limit) & in_run;
      append_lanes<rough_lanes>(within, j, number + count);
      count += __builtin_popcount(within);
    }
    return count;
  }

  /// Numbers from `begin` on are of this block, and of the image that the shift gives.
  [[gnu::always_inline]] inline void look_up(SourceView<T> const& source, T const* shift, int begin, int count) {
    for (int i = begin; i < count; i += together)
      for (int k = 0; k < together; ++k) record[i + k] = source.record + std::int64_t(number[i + k]) * width;
    if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0) return;
    for (int i = begin; i < count; ++i) {
      for (int c = 0; c < width; ++c) image[i][c] = record[i][c] + (c < 3 ? shift[c] : T(0));
      record[i] = image[i];
    }
  }

  /// Adds what they do to the target at x.
  [[gnu::always_inline]] inline void sum(int count, NearKernel<T> const& near, T const* x, V* u) {
    for (int i = count; i < count + lanes; ++i) record[i] = nobody;
    V const tx(x[0]), ty(x[1]), tz(x[2]), zero(T(0)), limit(near.cutoff_squared);
    for (int i = 0; i < count; i += lanes) {
      V column[width];
      for (int c = 0; c < width; c += 4) load_quad(record + i, c, column + c);
      V const dx = tx - column[0], dy = ty - column[1], dz = tz - column[2];
      V const r2 = dx * dx + dy * dy + dz * dz;
      V const inverse = xsimd::select(r2 > zero, inverse_sqrt(r2), zero);
      V factor[Pair::factor_count];
      Pair::factors(near, r2, inverse, factor);
      auto const within = r2 < limit;
      for (V& f : factor) f = xsimd::select(within, f, zero);
      Pair::add(factor, dx, dy, dz, column + 3, u);
    }
  }
};

template <class Tag, class T, Kernel K, bool Gradient>
struct ColumnOfTargets {
  using Pair = NearPair<K, Gradient>;
  using V = Batch<T, Tag>;
  using Around = Neighbourhood<V, T, Pair>;

  P2PBuffers<T> const& b;
  Share share;
  typename Around::Rough limit;
  int stretches = 0;
  Stretch<T> stretch[most_stretches];
  Around around;

  void push(Stretch<T> const& s) { stretch[stretches++] = s; }

  /// Adds what the stretches give the targets of `count` cells; the first has this number in the block, and this z.
  void add(int cell, int z, int count) {
    sort();
    Run<T> run[most_stretches];
    for (int i = 0; i < count; ++i) {
      int first = b.offset[cell + i], last = b.offset[cell + i + 1];
      if (first < share.first) first = share.first;
      if (last > share.last) last = share.last;
      if (first >= last) continue;
      int const runs = runs_around(z + i, run);
      for (int t = first; t < last; ++t) add_to(t, run, runs);
    }
    stretches = 0;
  }

  /// Brings those of one block and image together, in the order of the first of each: what is found in them is looked
  /// up together.
  void sort() {
    for (int sorted = 0; sorted < stretches;) {
      Stretch<T> const kind = stretch[sorted];
      for (int i = sorted; i < stretches; ++i)
        if (alike(stretch[i], kind)) {
          Stretch<T> const found = stretch[i];
          for (int k = i; k > sorted; --k) stretch[k] = stretch[k - 1];
          stretch[sorted++] = found;
        }
    }
  }

  int runs_around(int z, Run<T>* run) const {
    int runs = 0;
    for (int i = 0; i < stretches; ++i) {
      Stretch<T> const& s = stretch[i];
      int const low = z - s.reach > s.low ? z - s.reach : s.low, high = z + s.reach < s.high ? z + s.reach : s.high;
      if (low > high || s.offset[low] == s.offset[high + 1]) continue;
      run[runs++] = {&s, s.offset[low], s.offset[high + 1]};
    }
    return runs;
  }

  void add_to(int target, Run<T> const* run, int runs) {
    using Rough = typename Around::Rough;
    T x[3];
    for (int d = 0; d < 3; ++d) x[d] = b.target[d * b.stride + target];
    V u[Pair::results];
    for (V& component : u) component = V(T(0));
    int count = 0, looked_up = 0;
    for (int i = 0; i < runs; ++i) {
      Stretch<T> const& from = *run[i].of;
      Rough rough[3];
      for (int d = 0; d < 3; ++d) rough[d] = Rough(static_cast<float>(x[d] - from.shift[d]));
      // Long runs go in pieces that fit.
      for (int first = run[i].first, last; first < run[i].last; first = last) {
        int const room = around.capacity - count;
        last = run[i].last - first < room ? run[i].last : first + room;
        count = around.find(count, from.source, first, last, rough, limit);
        bool const full = count == around.capacity;
        if (!full && (last < run[i].last || (i + 1 < runs && alike(*run[i + 1].of, from)))) continue;
        around.look_up(from.source, from.shift, looked_up, count);
        looked_up = count;
        if (!full) continue;
        around.sum(count, b.tables->near, x, u);
        count = looked_up = 0;
      }
    }
    around.sum(count, b.tables->near, x, u);
    for (int m = 0; m < Pair::results; ++m) b.result[m * b.result_stride + target - share.first] += xsimd::hadd(u[m]);
  }
};

/// The square of the cutoff, and a hair for positions and sums of squares in single precision.
template <class T>
float rough_limit(Cells const& c) {
  double longest = c.edge[0];
  for (int d = 1; d < 3; ++d) longest = c.edge[d] > longest ? c.edge[d] : longest;
  double const epsilon = 0x1p-24, reach = c.cutoff + 6 * epsilon * (longest + c.cutoff);
  return float(reach * reach * (1 + 8 * epsilon));
}

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
  ColumnOfTargets<Tag, T, K, Gradient> targets{b, share, rough_limit<T>(c), 0, {}, {}};
  for (int m = 0; m < NearPair<K, Gradient>::results; ++m)
    for (int t = 0; t < share.count(); ++t) b.result[m * b.result_stride + t] = T(0);

  for (int i = 0; i < count[0] * count[1]; ++i) {
    int const begin = b.offset[i * count[2]], end = b.offset[(i + 1) * count[2]];
    if (begin == end || end <= share.first) continue;
    if (begin >= share.last) break;
    for_each_column(c, first[0] + i / count[1], first[1] + i % count[1], [&](Column const& column) {
      for_each_stretch<T>(
          args, column, first[2] - column.reach, first[2] + count[2] - 1 + column.reach,
          [&](int n) { return b.source(n); },
          [&](SourceView<T> const& source, int cell, int z, int length, T const* shift) {
            targets.push(
                {source, source.offset + cell - z, z, z + length - 1, column.reach, {shift[0], shift[1], shift[2]}});
            if (targets.stretches == most_stretches) targets.add(i * count[2], first[2], count[2]);
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

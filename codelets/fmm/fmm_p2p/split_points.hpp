// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p_body.hpp"
#include "core/kernels/kernels.hpp"
#include "core/kernels/pairs/packed_source.hpp"

namespace nearfar {

/// Where a leaf's points are counted from, and in which unit (close_pairs.hpp).
template <class T>
struct LeafFrame {
  T origin[3], scale;

  NEARFAR_FUNCTION LeafFrame(FmmP2PBuffers<T> const& b, FmmP2PArgs const& args, Leaf const& leaf)
      : scale(T(0.5) / T(args.half)) {
    for (int d = 0; d < 3; ++d) origin[d] = b.target[d * b.stride + leaf.first];
  }
};

/// Points of several runs, one after the other, in the caller's memory: coordinates in a leaf's frame in two parts of
/// precision A, and strengths multiplied by the unit of length. Rows: first parts of x, y, z, second parts, strengths.
template <class T, class A>
struct SplitPoints {
  struct Piece {
    T const* x;
    std::int64_t stride;
    T shift[3];
    int first;  ///< number of its first point
  };
  static constexpr int batch = 16;  ///< batches may read so many numbers past the last point

  A* numbers = nullptr;
  Piece* piece = nullptr;
  std::int64_t stride = 0;
  int count = 0, pieces = 0;

  /// The stride with room for this many points.
  static std::int64_t stride_for(int points) { return (points + 2 * batch) / batch * batch; }

  NEARFAR_FUNCTION A* row(int m) { return numbers + m * stride; }
  NEARFAR_FUNCTION void clear() { count = pieces = 0; }

  /// The points first .. last, moved by `shift`: it is subtracted from one side or the other, as in PairSum.
  template <class K>
  NEARFAR_FUNCTION void add(T const* position, T const* strength, std::int64_t of_points, int first, int last,
                            T const* shift, int strengths, LeafFrame<T> const& frame) {
    int const points = last - first;
    piece[pieces++] = {position + first, of_points, {shift[0], shift[1], shift[2]}, count};
    for (int d = 0; d < 3; ++d) {
      T const forward = shift[d] > 0 ? shift[d] : T(0), back = shift[d] - forward, origin = frame.origin[d] - forward;
      T const* const x = position + d * of_points + first;
      A *const high = row(d) + count, *const low = row(3 + d) + count;
      for (int j = 0; j < points; ++j) {
        T rest = ((x[j] + back) - origin) * frame.scale;
        high[j] = PackedSource<T, A>::take_part(rest);
        low[j] = PackedSource<T, A>::take_part(rest);
      }
    }
    for (int m = 0; m < strengths; ++m) {
      T const* const from = strength + m * of_points + first;
      A* const to = row(6 + m) + count;
      T const scale = strength_scale<K>(m % K::strengths, frame.scale);
      for (int j = 0; j < points; ++j) to[j] = A(from[j] * scale);
    }
    count += points;
  }

  /// Fills a batch after the last point with points far away, of strength zero.
  NEARFAR_FUNCTION void end(int strengths) {
    constexpr A far_away = 1e9;
    for (int m = 0; m < 6 + strengths; ++m)
      for (int k = 0; k < batch; ++k) row(m)[count + k] = m < 3 ? far_away : A(0);
  }

  /// The difference of a target, given by its x, and point number j, in T, in the unit of length; returns that point's
  /// x, where it came from.
  NEARFAR_FUNCTION T const* difference(T const* target, std::int64_t of_target, int j, T scale, T* r) const {
    int found = 0;
    while (found + 1 < pieces && piece[found + 1].first <= j) ++found;
    Piece const& from = piece[found];
    T const* const x = from.x + (j - from.first);
    for (int d = 0; d < 3; ++d) {
      T const forward = from.shift[d] > 0 ? from.shift[d] : T(0), back = from.shift[d] - forward;
      r[d] = ((target[d * of_target] - forward) - (x[d * from.stride] + back)) * scale;
    }
    return x;
  }
};

/// What a task needs of that: the points of a leaf, the sources around it, and results that they receive.
template <class T, class A>
struct SplitSpace {
  SplitPoints<T, A> targets, sources;
  A* received = nullptr;
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/copy/row_pieces.hpp"
#include "codelets/tree/on_host.hpp"
#include "core/tree/root_place.hpp"
#include "core/tree/tree.hpp"

namespace nearfar {

/// The smallest coordinates along each axis, those of the reversed ones, and 1, or 0 if some is not finite.
inline constexpr int extent_numbers = 7;

template <class T>
struct ExtentOfPoint {
  RowPieces<T const> rows;

  NEARFAR_FUNCTION void operator()(std::int64_t i, double* low) const {
    T const* const row = rows.at(i);
    double finite = 1;
    for (int d = 0; d < 3; ++d) {
      double const x = double(row[d]);
      low[d] = Smallest()(low[d], x);
      low[3 + d] = Smallest()(low[3 + d], -x);
      if (!(x - x == 0)) finite = 0;
    }
    low[6] = Smallest()(low[6], finite);
  }
};

template <class T, class Device>
void find_extent(Device& device, RowPieces<T const> const& rows, std::int64_t points, double* extent) {
  device.template reduce<Smallest, extent_numbers>(points, ExtentOfPoint<T>{rows}, extent_numbers, extent,
                                                   "looks where points are");
}

template <class T>
struct KeyOfPoint {
  RootPlace place;
  TreeShape shape;  ///< around 0
  int level;
  RowPieces<T const> rows;
  MortonKey* keys;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    T relative[3] = {}, near[3];
    place(rows.at(i), relative, near);
    for (int d = 0; d < 3; ++d) {  // points far outside are refused later, and until then are anywhere within
      T const reach = T(4 * shape.half);
      if (!(relative[d] < reach && relative[d] > -reach)) relative[d] = T(0);
    }
    keys[i] = point_key(shape, relative, level);
  }
};

/// Of uniform trees of sorted keys, for each depth up to `last`: occupied boxes, pairs of points that share one, and
/// the squares of the numbers of occupied boxes in a parent, one after the other.
struct OccupancyAtPoint {
  static constexpr int most = 3 * (deepest_level + 1);
  MortonKey const* keys;
  std::int64_t points;
  int level, last;

  NEARFAR_FUNCTION MortonKey box(std::int64_t i, int depth) const { return keys[i] >> 3 * (level - depth); }
  /// Where the box of point i ends, at `end` at most.
  NEARFAR_FUNCTION std::int64_t box_end(std::int64_t i, int depth, std::int64_t end) const {
    MortonKey const here = box(i, depth);
    std::int64_t in = i, step = 1;  // in the box
    while (in + step < end && box(in + step, depth) == here) {
      in += step;
      step *= 2;
    }
    for (; step > 0; step /= 2)
      if (in + step < end && box(in + step, depth) == here) in += step;
    return in + 1;
  }
  /// Where the octants of a box of points i .. end begin. All are searched together: each search waits for memory.
  NEARFAR_FUNCTION void find_octants(std::int64_t i, std::int64_t end, int depth, std::int64_t begin[9]) const {
    for (int o = 0; o < 8; ++o) begin[o] = i;
    begin[8] = end;
    int const shift = 3 * (level - depth - 1);
    std::int64_t step = 1;
    while (2 * step <= end - i) step *= 2;
    for (; step > 0; step /= 2)
      for (int o = 1; o < 8; ++o)
        if (begin[o] + step <= end && int(keys[begin[o] + step - 1] >> shift & 7) < o) begin[o] += step;
  }
  /// Of the boxes that begin with point i. `counts`: [depth][which]
  NEARFAR_FUNCTION void operator()(std::int64_t i, std::uint64_t* counts) const {
    int depth = 0;  // of the largest one
    while (i > 0 && depth <= last && box(i - 1, depth) == box(i, depth)) ++depth;
    if (depth > last) return;
    if (depth == 0) counts[2] += 1;
    for (std::int64_t end = box_end(i, depth, points); depth <= last; ++depth) {
      counts[3 * depth] += 1;
      counts[3 * depth + 1] += std::uint64_t(end - i) * std::uint64_t(end - i);
      if (depth == last) break;
      std::int64_t begin[9];
      find_octants(i, end, depth, begin);
      std::uint64_t children = 0;
      for (int o = 7; o >= 0; --o) {
        if (begin[o] == begin[o + 1]) continue;
        ++children;
        end = begin[o + 1];  // at last of the first child
      }
      counts[3 * depth + 5] += children * children;
    }
  }
};

/// How deep sorted keys are crowded: for each of the first powers of two from `first` on, how many levels have a box of
/// more points than that. A tree whose boxes of more points are divided, with a capacity of that or more, has no deeper
/// boxes than so many levels down.
struct CrowdsAtPoint {
  static constexpr int first = 4, most = 12;
  MortonKey const* keys;
  std::int64_t points;
  int level, powers;

  NEARFAR_FUNCTION static std::int64_t points_of(int power) { return std::int64_t(first) << power; }
  /// Which of `powers` tells of a capacity; -1: none.
  static int power_for(int capacity, int powers) {
    int power = -1;
    while (power + 1 < powers && points_of(power + 1) <= capacity) ++power;
    return power;
  }
  NEARFAR_FUNCTION void operator()(std::int64_t i, std::uint64_t* levels) const {
    for (int k = 0; k < powers && i + points_of(k) < points; ++k) {
      MortonKey const difference = keys[i] ^ keys[i + points_of(k)];
      while (levels[k] <= std::uint64_t(level) && difference >> 3 * (level - int(levels[k])) == 0) ++levels[k];
    }
  }
};

/// What curve stages write: keys along the curve, and the caller's row of each.
struct CurveArrays {
  MortonKey* keys;
  std::uint32_t* order;
};

template <class T, class Device>
void sort_along_curve(Device& device, KeyOfPoint<T> keys, std::int64_t points, int last, int powers,
                      CurveArrays const& out, std::uint64_t* found) {
  keys.keys = device.template room<MortonKey>(points);
  device.for_all(points, keys, "finds keys of points");
  device.sort(keys.keys, points, keys.level, out.keys, out.order);
  int const numbers = 3 * (last + 1);
  if (numbers > 0)
    device.template reduce<Sum, OccupancyAtPoint::most>(points, OccupancyAtPoint{out.keys, points, keys.level, last},
                                                        numbers, found, "counts boxes");
  if (powers > 0)
    device.template reduce<Greatest, CrowdsAtPoint::most>(points, CrowdsAtPoint{out.keys, points, keys.level, powers},
                                                          powers, found + numbers, "looks for crowded boxes");
}

}  // namespace nearfar

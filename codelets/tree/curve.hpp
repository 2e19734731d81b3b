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
struct PartExtent {
  RowPieces<T const> rows;
  std::int64_t points, threads;
  double* parts;  ///< [number][thread]

  NEARFAR_FUNCTION void operator()(std::int64_t t) const {
    double low[extent_numbers];
    for (double& x : low) x = Smallest::start;
    low[6] = 1;
    for (std::int64_t i = t; i < points; i += threads) {
      T const* const row = rows.at(i);
      for (int d = 0; d < 3; ++d) {
        double const x = double(row[d]);
        low[d] = Smallest()(low[d], x);
        low[3 + d] = Smallest()(low[3 + d], -x);
        if (!(x - x == 0)) low[6] = 0;
      }
    }
    for (int k = 0; k < extent_numbers; ++k) parts[k * threads + t] = low[k];
  }
};

template <class T, class Device>
void find_extent(Device& device, RowPieces<T const> const& rows, std::int64_t points, double* extent) {
  auto* const parts = device.template room<double>(extent_numbers * device.threads);
  device.for_all(device.threads, PartExtent<T>{rows, points, device.threads, parts}, "looks where points are");
  device.template reduced<Smallest>(parts, extent_numbers, device.threads, extent);
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
struct PartOccupancy {
  static constexpr int most_depths = deepest_level + 1;
  MortonKey const* keys;
  std::int64_t points, threads;
  int level, last;
  std::uint64_t* parts;  ///< [depth][which][thread]

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
  NEARFAR_FUNCTION void operator()(std::int64_t t) const {
    std::uint64_t counts[3 * most_depths] = {};
    for (std::int64_t i = t; i < points; i += threads) {
      int depth = 0;  // of the largest box that begins here
      while (i > 0 && depth <= last && box(i - 1, depth) == box(i, depth)) ++depth;
      if (depth > last) continue;
      if (depth == 0) counts[2] += 1;
      for (std::int64_t end = box_end(i, depth, points); depth <= last; ++depth) {
        counts[3 * depth] += 1;
        counts[3 * depth + 1] += std::uint64_t(end - i) * std::uint64_t(end - i);
        if (depth == last) break;
        std::int64_t const first = box_end(i, depth + 1, end);
        std::uint64_t children = 1;
        for (std::int64_t child = first; child < end; child = box_end(child, depth + 1, end)) ++children;
        counts[3 * depth + 5] += children * children;
        end = first;
      }
    }
    for (int k = 0; k < 3 * (last + 1); ++k) parts[k * threads + t] = counts[k];
  }
};

/// How deep sorted keys are crowded: for each of the first powers of two from `first` on, how many levels have a box of
/// more points than that. A tree whose boxes of more points are divided, with a capacity of that or more, has no deeper
/// boxes than so many levels down.
struct PartCrowds {
  static constexpr int first = 4, most = 12;
  MortonKey const* keys;
  std::int64_t points, threads;
  int level, powers;
  std::uint64_t* parts;  ///< [power][thread]

  NEARFAR_FUNCTION static std::int64_t points_of(int power) { return std::int64_t(first) << power; }
  /// Which of `powers` tells of a capacity; -1: none.
  static int power_for(int capacity, int powers) {
    int power = -1;
    while (power + 1 < powers && points_of(power + 1) <= capacity) ++power;
    return power;
  }
  NEARFAR_FUNCTION void operator()(std::int64_t t) const {
    int levels[most] = {};
    for (std::int64_t i = t; i < points; i += threads)
      for (int k = 0; k < powers && i + points_of(k) < points; ++k) {
        MortonKey const difference = keys[i] ^ keys[i + points_of(k)];
        while (levels[k] <= level && difference >> 3 * (level - levels[k]) == 0) ++levels[k];
      }
    for (int k = 0; k < powers; ++k) parts[k * threads + t] = std::uint64_t(levels[k]);
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
  auto* const parts = device.template room<std::uint64_t>(numbers * device.threads);
  device.for_all(device.threads, PartOccupancy{out.keys, points, device.threads, keys.level, last, parts},
                 "counts boxes");
  device.template reduced<Sum>(parts, numbers, device.threads, found);
  if (powers == 0) return;
  auto* const crowds = device.template room<std::uint64_t>(powers * device.threads);
  device.for_all(device.threads, PartCrowds{out.keys, points, device.threads, keys.level, powers, crowds},
                 "looks for crowded boxes");
  device.template reduced<Greatest>(crowds, powers, device.threads, found + numbers);
}

}  // namespace nearfar

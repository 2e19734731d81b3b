// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/copy/row_pieces.hpp"
#include "codelets/tree/boxes.hpp"
#include "core/geometry/block_arrays.hpp"
#include "core/tree/root_place.hpp"

namespace nearfar {

/// Points along the curve, and the leaves of one block in which some of them are.
struct LeavesOfBlock {
  MortonKey const* keys;
  std::uint32_t const* order;
  std::int64_t points;         ///< all
  std::int32_t const* box;     ///< its leaves
  std::uint32_t const* range;  ///< of the points of each box along the curve
  std::int32_t const* before;  ///< points in leaves before each box

  NEARFAR_FUNCTION std::int32_t offset(std::int64_t leaf) const { return before[box[leaf]] - before[box[0]]; }
  /// Where along the curve point `i` of so many of the block is.
  NEARFAR_FUNCTION std::int64_t along(std::int64_t i, std::int64_t of_block, std::int64_t leaves) const {
    if (of_block == points) return i;
    std::int64_t leaf = 0, end = leaves;
    while (end - leaf > 1) {
      std::int64_t const middle = (leaf + end) / 2;
      if (offset(middle) <= i) leaf = middle;
      else end = middle;
    }
    return range[2 * std::int64_t(box[leaf])] + (i - offset(leaf));
  }
};

/// Positions and rows in the order of leaves; padding is zero.
template <class T>
struct PlaceInLeaves {
  RootPlace place;
  RowPieces<T const> rows;
  LeavesOfBlock from;
  BlockArrays<T> out;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    T relative[3] = {}, near[3] = {};
    std::uint32_t row = 0;
    if (i < out.points) {
      row = from.order[from.along(i, out.points, out.cells)];
      place(rows.at(row), relative, near);
    }
    out.row[i] = row;
    for (int d = 0; d < 3; ++d) {
      out.position[d * out.stride + i] = relative[d];
      if (out.near != nullptr) out.near[d * out.stride + i] = near[d];
    }
  }
};
template <class T>
struct PlaceOffsets {
  LeavesOfBlock from;
  BlockArrays<T> out;

  NEARFAR_FUNCTION void operator()(std::int64_t leaf) const {
    out.offset[leaf] = leaf < out.cells ? from.offset(leaf) : out.points;
  }
};

/// Points that coincide have the same key.
template <class T>
struct FindTwinsOfKey {
  LeavesOfBlock from;
  BlockArrays<T> out;
  std::uint32_t* twins;  ///< 1 if two points coincide

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    T const* const x = out.near != nullptr ? out.near : out.position;
    std::int64_t const here = from.along(i, out.points, out.cells);
    MortonKey const key = from.keys[here];
    for (std::int64_t j = i + 1; j < out.points && here + (j - i) < from.points && from.keys[here + (j - i)] == key;
         ++j)
      if (x[j] == x[i] && x[out.stride + j] == x[out.stride + i] && x[2 * out.stride + j] == x[2 * out.stride + i]) {
        *twins = 1;
        return;
      }
  }
};

/// The points of the leaves of a block. `twins`: 0 before.
template <class T, class Device>
void place_in_leaves(Device& device, PlaceInLeaves<T> const& place, bool find_twins, std::uint32_t* twins) {
  constexpr char what[] = "puts points into leaves";
  BlockArrays<T> const& out = place.out;
  device.for_all(out.stride, place, what);
  device.for_all(out.cells + 1, PlaceOffsets<T>{place.from, out}, what);
  if (find_twins) device.for_all(out.points, FindTwinsOfKey<T>{place.from, out, twins}, what);
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/on_host.hpp"
#include "core/geometry/block_arrays.hpp"
#include "core/tree/root_place.hpp"

namespace nearfar {

/// Positions along the curve; padding is zero.
template <class T>
struct PlaceAlongCurve {
  RootPlace place;
  T const* rows;
  std::uint32_t const* order;
  BlockArrays<T> out;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    T relative[3] = {}, near[3] = {};
    if (i < out.points) {
      place(rows + 3 * std::int64_t(order[i]), relative, near);
      out.row[i] = order[i];
    }
    for (int d = 0; d < 3; ++d) {
      out.position[d * out.stride + i] = relative[d];
      if (out.near != nullptr) out.near[d * out.stride + i] = near[d];
    }
  }
};
struct CopyOffsets {
  std::uint32_t const* begin;
  std::int32_t* offset;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { offset[i] = std::int32_t(begin[i]); }
};

/// Points that coincide have the same key.
template <class T>
struct FindTwinsOfKey {
  MortonKey const* keys;
  BlockArrays<T> out;
  std::uint32_t* twins;  ///< 1 if two points coincide

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    T const* const x = out.near != nullptr ? out.near : out.position;
    for (std::int64_t j = i + 1; j < out.points && keys[j] == keys[i]; ++j)
      if (x[j] == x[i] && x[out.stride + j] == x[out.stride + i] && x[2 * out.stride + j] == x[2 * out.stride + i])
        *twins = 1;
  }
};
struct SetToZero {
  std::uint32_t* numbers;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { numbers[i] = 0; }
};

/// The points of leaves, which begin at `begin`, whose keys are in order; not yet where they are looked for twins.
template <class T, class Device>
void place_in_leaves(Device& device, PlaceAlongCurve<T> const& place, MortonKey const* keys, std::uint32_t const* begin,
                     bool find_twins, std::uint32_t* twins) {
  constexpr char what[] = "puts points into leaves";
  BlockArrays<T> const& out = place.out;
  device.for_all(out.stride, place, what);
  device.for_all(out.cells + 1, CopyOffsets{begin, out.offset}, what);
  device.for_all(1, SetToZero{twins}, what);
  if (find_twins) device.for_all(out.points, FindTwinsOfKey<T>{keys, out, twins}, what);
}

}  // namespace nearfar

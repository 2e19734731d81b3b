// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/gather/gather.hpp"
#include "codelets/pic/gpu/pointers.hpp"

namespace nearfar {

/// What a GPU does for one particle, in sorted order.
template <class T>
struct GatherBody {
  PicGrid grid;
  GpuPointers<T> field;
  T const* sorted;
  std::int32_t const* place;
  T* out;
  std::int64_t count;

  GatherBody(Buffers const& b, GatherArgs const& args)
      : grid(args.grid), field(b, 0), sorted(b.get<T const>(1)),
        place(b.get<std::int32_t const>(2) + grid.planes() + 1), out(b.get<T>(3)), count(b.size<T>(3) / 3) {}

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto const x = grid.cloud(sorted + 4 * i, 0), y = grid.cloud(sorted + 4 * i, 1), z = grid.cloud(sorted + 4 * i, 2);
    FieldPlane<T> const low = field.plane(grid.layout, x.low), high = field.plane(grid.layout, x.high);
    for (int m = 0; m < 3; ++m) {
      T const below = low.at(m, y, z), above = high.at(m, y, z);
      out[grid.axes[m] * count + place[i]] = below + x.weight * (above - below);
    }
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/pic/scatter/scatter.hpp"

namespace nearfar {

/// A block whose particles are sorted by cells.
template <class T>
struct SortedBlock {
  T const* sorted;
  std::int32_t const* begin;  ///< of each plane
};

/// What a GPU does for one number of a slab: adds the clouds of the particles in the
/// cell and in those below it, block by block, so that each number has one writer.
template <class T>
struct ScatterBody {
  PicGrid grid;
  int slab;
  T* out;
  T per_volume;
  LaunchList<SortedBlock<T>> blocks;

  ScatterBody(ScatterArgs const& args, T* out_, LaunchList<SortedBlock<T>> const& blocks_)
      : grid(args.grid), slab(args.slab), out(out_), per_volume(1), blocks(blocks_) {
    for (double const per : grid.cells.cells_per_length) per_volume *= T(per);
  }

  NEARFAR_FUNCTION std::int64_t count() const { return grid.layout.planes(slab) * grid.layout.plane_size(); }

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    SpectralLayout const& l = grid.layout;
    int const z = int(i % l.row_length), y = int(i / l.row_length % l.rows),
              x = l.first_plane(slab) + int(i / l.plane_size());
    T sum = blocks.first == 0 ? T(0) : out[i];
    if (y < l.size[1] && z < l.size[2])
      for (int b = 0; b < blocks.count; ++b)
        for (int below_x = 1; below_x >= 0; --below_x)
          for (int below_y = 1; below_y >= 0; --below_y) {
            int const from_x = from(0, x, below_x), from_y = from(1, y, below_y);
            if (from_x >= 0 && from_y >= 0) add_row(blocks.item[b], from_x, from_y, x, y, z, sum);
          }
    out[i] = sum;
  }

 private:
  /// The cell this many below, or -1 if there is none.
  NEARFAR_FUNCTION int from(int d, int cell, int below) const {
    if (cell >= below) return cell - below;
    return grid.cells.periodic[grid.axes[d]] ? grid.layout.size[d] - 1 : -1;
  }

  /// Particles in the row of cells (from_x, from_y), at z and below.
  NEARFAR_FUNCTION void add_row(SortedBlock<T> const& block, int from_x, int from_y, int x, int y, int z,
                                T& sum) const {
    int const below = from(2, z, 1);
    bool const apart = below > z;  // at the other end of the row
    if (apart) add_run(block, from_x, from_y, below, below, x, y, z, sum);
    add_run(block, from_x, from_y, below >= 0 && !apart ? below : z, z, x, y, z, sum);
  }

  /// Particles in the cells first_z .. last_z, which are adjacent.
  NEARFAR_FUNCTION void add_run(SortedBlock<T> const& block, int from_x, int from_y, int first_z, int last_z, int x,
                                int y, int z, T& sum) const {
    std::int32_t low = block.begin[from_x], end = block.begin[from_x + 1], high = end;
    while (low < high) {
      std::int32_t const middle = low + (high - low) / 2;
      T const* const particle = block.sorted + 4 * std::int64_t(middle);
      int const its_y = grid.cloud(particle, 1).low;
      bool const before = its_y < from_y || (its_y == from_y && grid.cloud(particle, 2).low < first_z);
      if (before) low = middle + 1;
      else high = middle;
    }
    for (; low < end; ++low) {
      T const* const particle = block.sorted + 4 * std::int64_t(low);
      auto const a = grid.cloud(particle, 0), b = grid.cloud(particle, 1), c = grid.cloud(particle, 2);
      if (b.low != from_y || c.low > last_z) return;
      sum += particle[3] * per_volume * share(a, x) * share(b, y) * share(c, z);
    }
  }

  NEARFAR_FUNCTION static T share(Cloud<T> const& cloud, int cell) {
    return (cloud.low == cell ? 1 - cloud.weight : T(0)) + (cloud.high == cell ? cloud.weight : T(0));
  }
};

}  // namespace nearfar

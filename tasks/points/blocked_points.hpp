// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cell_sort.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/points/placement.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace nearfar::detail {

/// A group of points is those of one cell of a grid, or of one leaf of a tree.
struct BlockSize {
  std::int32_t points = 0, groups = 0;
};

/// Which positions of points are kept beside those that most stages read.
struct KeptForms {
  bool rough = false;      ///< in single precision
  bool unwrapped = false;  ///< in our unit, where the caller had them, maybe outside the box
};

/// One set of points in blocks, group by group, with the handles of each block: cells of a box for Ewald, leaves of a
/// tree for the multipole method. A block holds x[stride], y[stride], z[stride], and the caller's row of each point;
/// the stride is a whole number of cache lines, also of floats. Each form of the positions is kept once, and only where
/// it differs from the others.
template <class T>
class BlockedPoints {
 public:
  /// Room for blocks of these sizes. To be filled one by one, in any order or side by side: rows and offsets first,
  /// then positions; then register_blocks.
  BlockedPoints(std::vector<BlockSize> sizes, KeptForms kept);

  std::size_t size() const noexcept { return points_; }
  int blocks() const noexcept { return int(sizes_.size()); }
  int count(int block) const noexcept { return sizes_[std::size_t(block)].points; }
  int groups(int block) const noexcept { return sizes_[std::size_t(block)].groups; }
  std::int64_t stride(int block) const noexcept { return first_[std::size_t(block) + 1] - first_[std::size_t(block)]; }
  /// Of an array of so many points of a block.
  static std::int64_t stride_for(int points) noexcept { return padded(points); }

  Handle position(int block) const noexcept { return position_[std::size_t(block)]; }
  /// Positions as the near part counts them: for differences of points (core/geometry/near_frame.hpp).
  Handle near_position(int block) const noexcept { return or_position(near_position_, block); }
  /// The same in single precision, to find who is near.
  Handle rough_position(int block) const noexcept {
    return rough_position_.empty() ? near_position(block) : rough_position_[std::size_t(block)];
  }
  /// Positions as KeptForms::unwrapped says.
  Handle unwrapped_position(int block) const noexcept { return or_position(unwrapped_position_, block); }
  Handle offset(int block) const noexcept { return offset_[std::size_t(block)]; }
  Handle index(int block) const noexcept { return index_[std::size_t(block)]; }

  /// Where the points of each group of a block begin, and where the last ends.
  std::int32_t* offsets(int block) const noexcept { return offsets_.data() + first_offset_[std::size_t(block)]; }
  /// The caller's row of each point.
  std::uint32_t* rows(int block) const noexcept { return indices_.data() + first_[std::size_t(block)]; }

  /// x[stride], y[stride], z[stride] as near_position has them.
  T const* near(int block) const noexcept {
    return near_[std::size_t(block)].size() > 0 ? near_[std::size_t(block)].data() : positions(block);
  }

  /// Room for the forms of a block's positions that differ: instead of fill, which finds that out.
  void make_forms(int block, bool near, bool unwrapped);
  /// Where a block's points go.
  BlockArrays<T> arrays(int block) const noexcept;

  /// Fills in the positions of a block whose rows are known. `place(row, x, near, unwrapped)` finds those of one row;
  /// `fetch(row)` says that it will be asked for soon.
  template <class Place, class Fetch>
  void fill(int block, Place const& place, Fetch const& fetch);

  /// Throws Error{bad_input}, naming two points, when two of a group are at the same place.
  void expect_distinct(int block, Frame const& frame, char const* what) const;

  /// Makes the handles.
  void register_blocks();

 private:
  T* positions(int block) const noexcept { return positions_.data() + 3 * first_[std::size_t(block)]; }
  Handle or_position(std::vector<Data> const& form, int block) const noexcept {
    Handle const handle = form.empty() ? nullptr : Handle(form[std::size_t(block)]);
    return handle != nullptr ? handle : position(block);
  }
  void finish(int block, bool near_differs, bool unwrapped_differs);

  std::vector<BlockSize> sizes_;
  KeptForms kept_;
  std::size_t points_ = 0;
  std::vector<std::int64_t> first_;         // of each block in the index array, in points with padding
  std::vector<std::int64_t> first_offset_;  // of each block
  Arena<T> positions_;
  std::vector<Arena<T>> near_, unwrapped_;  // by block, none where they are the same
  Arena<float> rough_;
  Arena<std::int32_t> offsets_;
  Arena<std::uint32_t> indices_;
  std::vector<Data> position_, near_position_, unwrapped_position_, rough_position_, offset_,
      index_;  // after the arenas, so that they go first
};

template <class T>
template <class Place, class Fetch>
void BlockedPoints<T>::fill(int block, Place const& place, Fetch const& fetch) {
  constexpr int ahead = 16;
  std::int64_t const s = stride(block);
  T* const x = positions(block);
  std::uint32_t const* const row = rows(block);
  auto &near = near_[std::size_t(block)], &unwrapped = unwrapped_[std::size_t(block)];
  bool near_differs = false, unwrapped_differs = false;
  near = Arena<T>(std::size_t(3 * s));
  if (kept_.unwrapped) unwrapped = Arena<T>(std::size_t(3 * s));
  for (int i = 0; i < count(block); ++i) {
    fetch(row[std::min(i + ahead, count(block) - 1)]);
    T in[3], by_near[3], given[3] = {};
    place(row[i], in, by_near, given);
    for (int d = 0; d < 3; ++d) {
      std::int64_t const to = d * s + i;
      x[to] = in[d];
      near.data()[to] = by_near[d];
      near_differs = near_differs || by_near[d] != in[d];
      if (!kept_.unwrapped) continue;
      unwrapped.data()[to] = given[d];
      unwrapped_differs = unwrapped_differs || given[d] != in[d];
    }
  }
  finish(block, near_differs, unwrapped_differs);
}

}  // namespace nearfar::detail

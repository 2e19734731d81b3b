// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/arena.hpp"
#include "tasks/data.hpp"
#include "tasks/placement.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// One set of points, wrapped into the box where it repeats, sorted by cell and cut into blocks, with the handles of
/// each block. Blocks hold x[stride], y[stride], z[stride]; the stride is a whole number of cache lines, also of
/// floats.
template <class T>
class BlockedPoints {
 public:
  /// `what` names the points in messages ("source", "target"). Throws Error{bad_input} for a coordinate that is not
  /// finite, or outside the box in a direction that does not repeat.
  /// With `keep_given` it remembers where points outside the box were.
  BlockedPoints(Frame const& frame, std::span<T const> rows, char const* what, bool keep_given);

  std::size_t size() const noexcept { return points_; }
  int count(int block) const noexcept { return count_[std::size_t(block)]; }
  std::int64_t stride(int block) const noexcept;
  /// Of an array of so many points of a block.
  static std::int64_t stride_for(int points) noexcept;

  Handle position(int block) const noexcept { return position_[std::size_t(block)]; }
  /// Positions in single precision, to find who is near.
  Handle rough_position(int block) const noexcept {
    return rough_position_.empty() ? position(block) : rough_position_[std::size_t(block)];
  }
  /// Positions as the caller gave them.
  Handle given_position(int block) const noexcept {
    return given_position_.empty() ? position(block) : given_position_[std::size_t(block)];
  }
  Handle offset(int block) const noexcept { return offset_[std::size_t(block)]; }
  /// Where the points of each of its cells begin, and where the last ends.
  std::int32_t const* offsets(int block) const noexcept { return offsets_.data() + first_cell_[std::size_t(block)]; }
  Handle index(int block) const noexcept { return index_[std::size_t(block)]; }

  /// Throws Error{bad_input}, naming two points, when two of them are at the same place.
  void expect_distinct(Frame const& frame, char const* what) const;

 private:
  void keep_given_positions(std::span<T const> rows);
  void make_rough_positions();
  void register_blocks(Cells const& cells);

  std::size_t points_;
  std::vector<int> count_;
  std::vector<int> cells_;           // per block
  std::vector<std::int64_t> first_;  // of each block in the index array, in points with padding
  std::vector<std::int64_t> first_cell_;
  Arena<T> positions_;
  Arena<T> given_;      // none where all points are in the box
  Arena<float> rough_;  // none where positions are in single precision
  Arena<std::int32_t> offsets_;
  Arena<std::uint32_t> indices_;
  std::vector<Data> position_, given_position_, rough_position_, offset_,
      index_;  // after the arenas, so that they go first
};

}  // namespace nearfar::detail

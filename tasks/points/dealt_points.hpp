// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cell_sort.hpp"
#include "core/math/bulk_memory.hpp"
#include "core/tree/loop.hpp"
#include "tasks/nodes/parts.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/extent.hpp"
#include "tasks/points/planned_points.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearfar::detail {

/// The extent of the points of all ranks. Collective.
Extent extent_of_all(Ranks const& ranks, Extent const& of_this_rank);

/// A sample of the points that connected ranks give, at most so many, evenly spaced by number. Collective.
template <class T>
std::vector<T> rows_of_all(Ranks const& ranks, std::span<T const> rows, Parts const& parts, std::size_t most);

/// Points that connected ranks give, anywhere in the box, on their way into the cells of a frame: each
/// rank sorts its own by block, and one exchange takes each block to the ranks that need it. No rank holds
/// more than it gives and needs. Blocks are ordered by rank and row, so they equal those of one process.
/// The methods are collective except for own_rows and parts; an error of one rank is thrown on all.
template <class T>
class DealtPoints {
 public:
  /// `rows`: the points of this rank, as `parts` says, which outlive this. Throws Error{bad_input} for
  /// one that has no place in the frame; `what` names it, with its number among those of all ranks.
  DealtPoints(std::shared_ptr<RuntimeState> const& runtime, Ranks const& ranks, Frame const& frame,
              std::span<T const> rows, Parts const& parts, char const* what, bool keep_unwrapped);

  /// All blocks, with the total number of points in their cells over all ranks, none of them held.
  BlockedPoints<T> counted() const;

  /// Transfers to `points`, made by counted, the blocks for which this rank is among the `holders`, and
  /// registers them. Throws Error{bad_input} if two points coincide though they should be `distinct`.
  void deal(BlockedPoints<T>& points, std::vector<std::vector<int>> const& holders, bool distinct) const;

  OwnRows own_rows() const;
  Parts const& parts() const noexcept { return parts_; }

 private:
  using Part = Buckets<T, std::uint32_t const>;
  /// What each rank sends of the blocks that this one holds, in their order.
  struct Received {
    std::vector<std::vector<std::uint32_t>> begin;  ///< of each block among the points of a rank, and the end
    std::vector<std::uint32_t> forms;               ///< of each block
    BulkVector<BucketedPoint<T>> points;            ///< rank by rank
  };

  Part part(std::size_t p) const { return {words_[p].data(), blocks_}; }
  std::size_t first_of(std::size_t part) const noexcept { return rows_.size() / 3 * part / words_.size(); }
  void bucket();
  void count();
  /// Copies this rank's part of a block to `out`, with the global numbers of points; returns the end of it.
  BucketedPoint<T>* copy_block(int block, BucketedPoint<T>* out) const;
  Received exchange(std::vector<std::vector<int>> const& blocks_of_rank) const;

  Ranks const& ranks_;
  Frame frame_;
  std::span<T const> rows_;
  Parts parts_;
  char const* what_;
  bool keep_unwrapped_;
  Loop loop_;
  int blocks_;
  std::vector<BulkVector<std::uint32_t>> words_;  // Buckets of each part of this rank's points
  std::vector<BlockSize> sizes_;                  // of all ranks' blocks
  std::vector<std::int32_t> of_cells_;            // points of all ranks, block after block
};

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cell_columns.hpp"
#include "core/geometry/cell_sort.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/kept_temporaries.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/points/placement.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// The size of a block. A group of points is those of one cell of a grid, or of one leaf of a tree.
struct BlockSize {
  std::int32_t points = 0, groups = 0;
};

/// Which forms of the positions are kept beside the one that most stages read.
struct KeptForms {
  bool rough = false;      ///< in single precision
  bool unwrapped = false;  ///< in our unit, but where the caller had them, maybe outside the box
};

/// Which forms of a block's positions differ from the others, and so need storage of their own.
struct OwnForms {
  bool near = false, unwrapped = false;
};

/// One set of points in blocks, group by group, with the handles of each block: cells of a box for
/// Ewald, leaves of a tree for the multipole method. A block holds x[stride], y[stride],
/// z[stride], and the caller's row of each point; the stride is a whole number of cache lines, for
/// floats too. Each form of the positions is kept once, and only where it differs from the others.
template <class T>
class BlockedPoints {
 public:
  /// Blocks sorted by tasks that write `handles`, in StarPU's memory: no `arrays` before bring_to_host. Those without
  /// groups have no handles. Near positions are kept where they differ. `room`: that memory; or none in particular.
  static BlockedPoints in_runtime(std::vector<BlockSize> sizes, KeptForms kept, bool near,
                                  std::shared_ptr<KeptRoom> room = nullptr);
  /// Of one of these blocks: cell offsets, rows, positions; near, unwrapped and rough ones if kept.
  std::vector<Handle> handles(int block = 0) const;
  /// To be called when the task has ended.
  void freeze();
  bool in_runtime_memory() const noexcept { return brought_ != nullptr; }
  /// Copies data that are elsewhere to the host, for `arrays`. Waits for that; not on a worker. Thread-safe.
  void bring_to_host(std::shared_ptr<RuntimeState> const& runtime) const;
  /// The same of the rows alone.
  void bring_rows_to_host(std::shared_ptr<RuntimeState> const& runtime) const;
  /// Makes before_layer known here before that.
  void know_layers(CellColumns const& columns, std::vector<ColumnContent> const& content);

  /// Makes room for blocks of these sizes. After make_forms, fill their
  /// `arrays`, in any order or concurrently; then call register_blocks.
  BlockedPoints(std::vector<BlockSize> sizes, KeptForms kept) : BlockedPoints(std::move(sizes), kept, Place::host) {}

  /// The same if ranks share the points, each holding some blocks: before `hold`,
  /// only the number of points in each cell is known, `of_cells`, block after block.
  BlockedPoints(std::vector<BlockSize> sizes, KeptForms kept, std::vector<std::int32_t> const& of_cells);
  /// Makes room for these blocks, by number; the others keep only their sizes, and have no handles.
  void hold(std::vector<int> const& blocks);

  /// The same without content or memory: for graphs that are recorded.
  explicit BlockedPoints(std::vector<BlockSize> sizes);

  std::size_t size() const noexcept { return points_; }
  int blocks() const noexcept { return int(sizes_.size()); }
  int count(int block) const noexcept { return sizes_[std::size_t(block)].points; }
  int groups(int block) const noexcept { return sizes_[std::size_t(block)].groups; }
  std::int64_t stride(int block) const noexcept { return padded(count(block)); }
  /// Whether a block's points are in memory here.
  bool holds(int block) const noexcept { return first_[std::size_t(block) + 1] > first_[std::size_t(block)]; }
  /// The stride of a block with this many points.
  static std::int64_t stride_for(int points) noexcept { return padded(points); }

  Handle position(int block) const noexcept { return position_[std::size_t(block)]; }
  /// Positions in the coordinates of the near part, for differences of points (core/geometry/near_frame.hpp).
  Handle near_position(int block) const noexcept { return or_position(near_position_, block); }
  /// The same in single precision, to find near points.
  Handle rough_position(int block) const noexcept {
    return rough_position_.empty() ? near_position(block) : rough_position_[std::size_t(block)];
  }
  /// Positions as defined by KeptForms::unwrapped.
  Handle unwrapped_position(int block) const noexcept { return or_position(unwrapped_position_, block); }
  Handle offset(int block) const noexcept { return offset_[std::size_t(block)]; }
  Handle index(int block) const noexcept { return index_[std::size_t(block)]; }

  /// Where the points of each group of a block begin, and the end of the last.
  std::int32_t* offsets(int block) const noexcept { return offsets_.data() + first_offset_[std::size_t(block)]; }
  /// Those of all blocks; null for one without points.
  std::vector<std::int32_t const*> block_offsets() const;
  /// How many points of a block are before one of its `layers` of groups along x; after the last one, all. As if evenly
  /// spread where there is no content.
  int before_layer(int block, int layer, int layers) const noexcept;
  /// The caller's row of each point.
  std::uint32_t* rows(int block) const noexcept { return indices_.data() + first_[std::size_t(block)]; }

  /// x[stride], y[stride], z[stride], as in near_position.
  T const* near(int block) const noexcept { return near_.has(block) ? near_.at(block) : positions(block); }

  /// Makes room for the forms that differ in some block, as told for each. Call it before `arrays`.
  void make_forms(std::vector<OwnForms> const& by_block) const;
  /// The arrays of a block.
  BlockArrays<T> arrays(int block) const noexcept;

  /// Throws Error{bad_input}, naming two points, if two of a group coincide.
  void expect_distinct(int block, Frame const& frame, char const* what) const;

  /// Makes the handles.
  void register_blocks();

 private:
  enum class Place { host, ranks, runtime };
  BlockedPoints(std::vector<BlockSize> sizes, KeptForms kept, Place place);

  T* positions(int block) const noexcept { return positions_.data() + 3 * first_[std::size_t(block)]; }
  /// Positions of the blocks for which this form differs.
  struct Form {
    std::vector<std::int64_t> first;  // of each block, -1 where there is none
    Arena<T> positions;

    bool has(int block) const noexcept { return !first.empty() && first[std::size_t(block)] >= 0; }
    T* at(int block) const noexcept { return has(block) ? positions.data() + first[std::size_t(block)] : nullptr; }
  };
  void make_form(Form& form, std::vector<OwnForms> const& by_block, bool OwnForms::*which) const;
  void make_room() const;
  void make_rows() const;
  template <class A>
  static void copy_to_host(Handle from, A* to, std::int64_t count);
  void make_offsets() const;
  Handle or_position(std::vector<Data> const& form, int block) const noexcept {
    Handle const handle = form.empty() ? nullptr : Handle(form[std::size_t(block)]);
    return handle != nullptr ? handle : position(block);
  }
  std::vector<BlockSize> sizes_;
  KeptForms kept_;
  std::size_t points_ = 0;
  std::vector<std::int64_t> first_;         // of each block in the index array, in points with padding
  std::vector<std::int64_t> first_offset_;  // of each block
  std::vector<std::vector<int>> layers_;    ///< before_layer of each block, of points in the runtime's memory
  std::shared_ptr<KeptRoom> room_;          ///< has the data, if not null
  // For points in the runtime's memory, made by bring_to_host.
  mutable Arena<T> positions_;
  mutable Form near_, unwrapped_;
  mutable Arena<float> rough_;
  mutable Arena<std::int32_t> offsets_;
  mutable Arena<std::uint32_t> indices_;
  struct Brought {
    std::once_flag all, rows;
  };
  std::unique_ptr<Brought> brought_;  ///< for points in the runtime's memory
  std::vector<Data> position_, near_position_, unwrapped_position_, rough_position_, offset_,
      index_;  // after the arenas, so that they are destroyed first
};

}  // namespace nearfar::detail

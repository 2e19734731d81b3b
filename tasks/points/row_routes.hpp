// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/copy/row_pieces.hpp"
#include "core/geometry/point_range.hpp"
#include "core/tree/loop.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/points/blocked_points.hpp"
#include "tasks/points/stretches.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nearfar::detail {

/// A rank that gave targets of a task's range, and so receives their results, and how many. Within a process: the GPU
/// that brings a stretch of the caller's results, and which.
struct Taker {
  int rank = everywhere;
  int count = 0;
  int stretch = 0;
};

/// Some points of a block.
struct TargetRange {
  int block;
  PointRange points;
};

/// Rows of a block that a task of a loop looks at; fewer in tests.
inline int rows_of_piece = 1 << 17;

/// Whether tasks find the routes of rows in these stretches, for blocks of sources, or ranges of targets, of these
/// owners.
bool sources_by_tasks(std::vector<int> const& owners, std::vector<Stretch> const& stretches);
bool targets_by_tasks(std::vector<int> const& owners, std::vector<Stretch> const& stretches);

/// Which strengths of each stretch of the caller's rows each GPU of a process sorts: they are packed where the stretch
/// is, and only these travel. Made once for points and a cut.
class SourceRoutes {
 public:
  class ByTasks;

  /// `owners`: of blocks.
  template <class T>
  SourceRoutes(BlockedPoints<T> const& sources, std::vector<int> const& owners, std::vector<Stretch> const& stretches,
               Loop const& loop);

  /// A message from a stretch to a GPU.
  struct Packed {
    std::size_t stretch;
    int gpu;
    std::int64_t rows;
    Data chosen;  ///< which of the stretch
  };
  std::vector<Packed> const& packed() const noexcept { return packed_; }
  /// How the messages that a GPU gets, in their order, make up its rows.
  RowCut const& cut(int gpu) const noexcept { return cut_[place(gpu)]; }
  /// The rows of a block's points among these.
  Handle rows(int block) const noexcept { return rows_[std::size_t(block)]; }

 private:
  SourceRoutes() = default;
  static std::size_t place(int gpu) noexcept { return gpu == everywhere ? 0 : std::size_t(gpu); }

  std::vector<RowCut> cut_;
  std::vector<Arena<std::uint32_t>> chosen_;  ///< by GPU
  Arena<std::uint32_t> index_;
  std::vector<Packed> packed_;  // after the memory, so that they are destroyed first
  std::vector<Data> rows_;
};

/// Which results each range of targets has for each stretch of the caller's rows. Those that another GPU brings are
/// packed where they are found, and put into their rows there.
class TargetRoutes {
 public:
  class ByTasks;

  /// `owners`: of the ranges. `leave`: GPUs bring results, each those of its stretches.
  template <class T>
  TargetRoutes(BlockedPoints<T> const& targets, std::vector<TargetRange> const& ranges, std::vector<int> const& owners,
               std::vector<Stretch> const& stretches, bool leave, Loop const& loop);

  std::vector<Taker> const& takers(std::size_t range) const noexcept { return takers_[range]; }
  /// Of those takers of a range that another GPU is, by their place among these: which points of the range, and the
  /// rows of the stretch where these go.
  Handle points(std::size_t range, std::size_t other) const noexcept { return points_[range][other]; }
  Handle rows(std::size_t range, std::size_t other) const noexcept { return rows_[range][other]; }

 private:
  TargetRoutes() = default;

  std::vector<std::vector<Taker>> takers_;
  Arena<std::uint32_t> point_memory_, row_memory_;
  std::vector<std::vector<Data>> points_, rows_;  // after the memory, so that they are destroyed first
};

/// What routes by tasks are of: strengths of blocks with these owners; results of ranges.
template <class T>
struct RoutedSources {
  BlockedPoints<T> const& points;
  std::vector<int> const& owners;
  std::vector<Stretch> const& stretches;
};
template <class T>
struct RoutedTargets {
  BlockedPoints<T> const& points;
  std::vector<TargetRange> const& ranges;
  std::vector<int> const& owners;
  std::vector<Stretch> const& stretches;
};

/// Both ways.
struct RowRoutes {
  SourceRoutes sources;
  TargetRoutes targets;

  /// By tasks, each on the GPU that owns a block or a range (on CPUs, if there are none), where most stays; GPUs bring
  /// results. Waits; not on a worker.
  template <class T>
  static RowRoutes by_tasks(std::shared_ptr<RuntimeState> const& runtime, RoutedSources<T> const& from,
                            RoutedTargets<T> const& to);
};

}  // namespace nearfar::detail

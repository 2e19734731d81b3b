// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/copy/copy.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/result_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace nearfar::detail {

/// The pinned memory of one solve, which lives as long.
template <class T>
struct StagingMemory {
  Arena<T> strengths, results;
};

/// The pinned memory of a plan's solves, kept for later ones: pinning takes longer than a solve. Not thread-safe.
template <class T>
class StagingMemories {
 public:
  /// One that no solve uses.
  std::shared_ptr<StagingMemory<T>> next() {
    for (auto const& kept : kept_)
      if (kept.use_count() == 1) return kept;
    auto made = std::make_shared<StagingMemory<T>>();
    if (kept_.size() < most) kept_.push_back(made);
    return made;
  }

 private:
  static constexpr std::size_t most = 2;  // solves in flight whose stages overlap
  std::vector<std::shared_ptr<StagingMemory<T>>> kept_;
};

/// Strengths or results between arrays in host memory and GPUs that run a whole solve: by way of
/// pinned memory, because transfers from and to the caller's pages take several times as long.
/// CPU workers copy one piece while others are transferred.
template <class T>
class StagedRows {
 public:
  /// Whether that pays for so many numbers of strengths and results: fewer CPU workers would take as long as the
  /// transfer, and the tasks of small arrays take longer than their transfer, by a millisecond.
  static bool pay(std::size_t numbers) {
    return starpu_cpu_worker_get_count() >= 4 && numbers * sizeof(T) >= least_bytes;
  }
  static inline std::size_t least_bytes = std::size_t(16) << 20;  ///< fewer in tests
  /// Of a piece: each is a task or two, and a transfer, of some ten microseconds.
  static inline std::size_t least_bytes_of_piece = std::size_t(4) << 20;  ///< fewer in tests

  StagedRows() = default;
  /// `row` numbers in each of the rows, in pinned memory that outlives the solve, in pieces of `length`; none if they
  /// were too many.
  StagedRows(char const* name, std::size_t rows, int row, std::size_t length, T* memory)
      : rows_(std::int64_t(rows)), row_(row), length_(int(length)) {
    if (length * max_row_pieces >= rows) cut(name, memory);
  }

  /// Sends a piece to a memory node; returns at once.
  void send(int piece, unsigned node) const { starpu_data_prefetch_on_node(pieces_[std::size_t(piece)], node, 1); }

  bool any() const noexcept { return !pieces_.empty(); }
  int count() const noexcept { return int(pieces_.size()); }
  std::vector<Handle> pieces() const { return {pieces_.begin(), pieces_.end()}; }
  /// Rows of each piece except the last.
  int length() const noexcept { return any() ? length_ : whole_rows; }
  int row() const noexcept { return row_; }
  /// The first row of a piece, or the number of rows.
  std::int64_t first(int piece) const noexcept { return std::min<std::int64_t>(rows_, std::int64_t(piece) * length_); }

  /// So that all rows of an array are few pieces.
  static std::size_t length_of_piece(std::size_t rows, int row) {
    return std::max(rows / max_row_pieces + 1, least_bytes_of_piece / (sizeof(T) * std::size_t(row)));
  }

 private:
  void cut(char const* name, T* memory) {
    for (std::int64_t first = 0; first < rows_; first += length_)
      pieces_.push_back(
          SolveData::over(name, memory + first * row_, std::min<std::int64_t>(length_, rows_ - first) * row_));
  }

  std::int64_t rows_ = 0;
  int row_ = 0, length_ = whole_rows;
  std::vector<SolveData> pieces_;
};

/// Inserts copy_results, to the caller's rows.
template <class T>
void build_copying_back(Graph& graph, StagedRows<T> const& staged, ResultRows const& result) {
  auto const pieces = staged.pieces();
  for (int p = 0; p < staged.count(); ++p)
    graph.insert<CopyResults<T>>({staged.row(), staged.first(p)},
                                 {.block = p, .flops = double(staged.first(p + 1) - staged.first(p)) * staged.row()},
                                 read(pieces[std::size_t(p)]), write(result.of(std::size_t(p))));
}

}  // namespace nearfar::detail

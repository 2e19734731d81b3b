// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/cell_sort.hpp"

#include "core/geometry/cell_sort.hpp"
#include "tasks/points/worker_loop.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace nearfar::detail {

namespace {

/// The two steps of core/geometry/cell_sort.hpp as loops of tasks, each over all parts or blocks.
template <class T>
class CellSort {
 public:
  CellSort(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame, std::span<T const> rows,
           bool keep_unwrapped)
      : frame_(frame), rows_(rows), keep_unwrapped_(keep_unwrapped), points_(rows.size() / 3),
        workers_(sort_workers(points_)), loop_(worker_loop(runtime, points_)), words_(sort_parts(points_, workers_)),
        cut_(pieces_of_block(frame.cells, workers_)), pieces_(in_pieces(frame, cut_)) {}

  void bucket() {
    auto const lookup = cell_lookup(pieces_.cells);
    in_parts(loop_, points_, words_.size(), [&](std::size_t p, std::size_t first, std::size_t last) {
      auto const size = Buckets<T, std::uint32_t>::size(pieces(), std::int64_t(last - first));
      words_[p] = BulkVector<std::uint32_t>(std::size_t(size));
      BulkVector<PlaceInBlock> places(last - first);
      bucket_points(pieces_, lookup.data(), rows_.data(), std::int64_t(first), std::int64_t(last), keep_unwrapped_,
                    places.data(), Buckets<T, std::uint32_t>(words_[p].data(), pieces()));
    });
  }

  /// The first bad row, or -1. After bucket.
  std::int64_t bad_row() const {
    for (std::size_t p = 0; p < words_.size(); ++p)
      if (std::uint32_t const bad = part(p).bad(); bad > 0) return std::int64_t(bad) - 1;
    return -1;
  }

  /// Determines where blocks and their pieces begin, and which forms they need. After bucket.
  BlockedPoints<T> make_blocks() {
    std::vector<BlockSize> sizes(static_cast<std::size_t>(frame_.cells.block_count()));
    std::vector<OwnForms> forms(sizes.size());
    place_.clear();
    for (int i = 0; i < pieces(); ++i) {
      Block const at = block_at(pieces_.cells, i);
      auto const b = std::size_t(block_number(frame_.cells, at.at[0] / cut_, at.at[1], at.at[2]));
      Piece& piece = place_.emplace_back(Piece{int(b), sizes[b].groups, 1, sizes[b].points, 0});
      for (int d = 0; d < 3; ++d) piece.cells *= pieces_.cells.cells_in(d, at.at[d]);
      for (std::size_t p = 0; p < words_.size(); ++p) {
        piece.points += int(part(p).begin()[i + 1] - part(p).begin()[i]);
        std::uint32_t const found = part(p).forms()[i];
        forms[b].near |= (found & Buckets<T, std::uint32_t>::near_differs) != 0;
        forms[b].unwrapped |= (found & Buckets<T, std::uint32_t>::given_differs) != 0;
      }
      sizes[b].groups += piece.cells;
      sizes[b].points += piece.points;
    }
    BlockedPoints<T> points(std::move(sizes), {.rough = true, .unwrapped = keep_unwrapped_});
    points.make_forms(forms);
    return points;
  }

  /// Sorts all pieces. Returns the first block with coincident points, if these are looked for, or -1.
  int arrange(BlockedPoints<T> const& points, bool find_twins) {
    std::vector<char> twins(place_.size(), 0);
    loop_(place_.size(), [&](std::size_t i) {
      auto const out = arrays(points, place_[i]);
      BulkVector<BucketedPoint<T> const*> order(std::size_t(out.points));
      arrange_piece(
          pieces_, int(i), int(words_.size()), [&](int p) { return part(std::size_t(p)); }, out, order.data());
      std::vector<std::int32_t> table;
      twins[i] = find_twins && has_twins(out, table);
    });
    auto const first = std::find(twins.begin(), twins.end(), 1);
    return first == twins.end() ? -1 : place_[std::size_t(first - twins.begin())].block;
  }

 private:
  /// A run of cells of a block, and of its points.
  struct Piece {
    int block, first_cell, cells, first, points;
  };

  /// Pieces per block, so that all workers have something to do although GPUs want few blocks.
  static int pieces_of_block(Cells const& cells, int workers) {
    constexpr int for_each = 4;
    return std::clamp(for_each * workers / cells.block_count(), 1, std::max(1, cells.count[0] / cells.blocks[0]));
  }
  int pieces() const noexcept { return pieces_.cells.block_count(); }
  PieceArrays<T> arrays(BlockedPoints<T> const& points, Piece const& p) const {
    return PieceArrays<T>::of(points.arrays(p.block), p.first_cell, p.cells, p.first, p.points);
  }

  Buckets<T, std::uint32_t const> part(std::size_t p) const { return {words_[p].data(), pieces()}; }

  Frame const& frame_;
  std::span<T const> rows_;
  bool keep_unwrapped_;
  std::size_t points_;
  int workers_;
  Loop loop_;
  std::vector<BulkVector<std::uint32_t>> words_;  // Buckets of each part
  int cut_;
  Frame pieces_;
  std::vector<Piece> place_;
};

}  // namespace

template <class T>
BlockedPoints<T> sorted_into_cells(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                                   std::span<T const> rows, char const* what, bool keep_unwrapped, bool distinct) {
  if (rows.size() / 3 > std::size_t(std::numeric_limits<std::int32_t>::max()))
    throw Error(Fault::bad_input,
                std::to_string(rows.size() / 3) + " " + what + "s are more than one process can number (2^31 - 1)");
  CellSort<T> sort(runtime, frame, rows, keep_unwrapped);
  sort.bucket();
  if (std::int64_t const bad = sort.bad_row(); bad >= 0)
    place(frame, &rows[3 * std::size_t(bad)], what, std::size_t(bad));  // throws with the reason
  BlockedPoints<T> points = sort.make_blocks();
  if (int const twins = sort.arrange(points, distinct); twins >= 0) points.expect_distinct(twins, frame, what);
  points.register_blocks();
  return points;
}

#define NEARFAR_INSTANTIATE(T)                                                                                        \
  template BlockedPoints<T> sorted_into_cells(std::shared_ptr<RuntimeState> const&, Frame const&, std::span<T const>, \
                                              char const*, bool, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/cell_sort.hpp"

#include "codelets/points/arrange/arrange.hpp"
#include "codelets/points/bucket/bucket.hpp"
#include "core/geometry/cell_sort.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/engine/submit.hpp"
#include "tasks/points/worker_loop.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace nearfar::detail {

namespace {

constexpr double bucket_flops = 30, arrange_flops = 60;  // of a point, an estimate

/// The two steps of core/geometry/cell_sort.hpp, each for all parts or blocks at once: as tasks, or here.
template <class T>
class CellSort {
 public:
  CellSort(std::shared_ptr<RuntimeState> runtime, Frame const& frame, std::span<T const> rows, bool keep_unwrapped)
      : runtime_(std::move(runtime)), frame_(frame), rows_(rows), keep_unwrapped_(keep_unwrapped),
        points_(rows.size() / 3), workers_(sort_workers(points_)), parts_(sort_parts(points_, workers_)),
        cut_(pieces_of_block(frame.cells, workers_)), pieces_(in_pieces(frame, cut_)),
        lookup_(cell_lookup(pieces_.cells)) {
    for (std::size_t p = 0; p < parts_; ++p)
      words_.emplace_back(std::size_t(Buckets<T, std::uint32_t>::size(pieces(), first_of(p + 1) - first_of(p))));
  }

  void bucket() {
    if (workers_ == 0) return bucket_here();
    submit_solve(runtime_, {}, {}, [&](Graph& graph) {
      auto const parts = bucket_data();
      auto const rows = SolveData::constant("points", rows_.data(), std::int64_t(rows_.size()));
      auto const lookup = SolveData::constant("cell lookup", lookup_.data(), std::int64_t(lookup_.size()));
      auto const places = SolveData::temporary<PlaceInBlock>("places", std::int64_t(points_ / parts_ + 1));
      for (std::size_t p = 0; p < parts_; ++p)
        graph.insert<Bucket<T>>({pieces_, first_of(p), first_of(p + 1), keep_unwrapped_},
                                {int(p), bucket_flops * double(first_of(p + 1) - first_of(p))}, read(lookup),
                                read(rows), scratch(places), write(parts[p]));
      bring_home(graph, parts);
    }).wait();
  }

  /// The first bad row, or -1. After bucket.
  std::int64_t bad_row() const {
    for (std::size_t p = 0; p < parts_; ++p)
      if (std::uint32_t const bad = part(p).bad(); bad > 0) return std::int64_t(bad) - 1;
    return -1;
  }

  /// Where the blocks and their pieces begin and which forms they have. After bucket.
  BlockedPoints<T> make_blocks() {
    std::vector<BlockSize> sizes(static_cast<std::size_t>(frame_.cells.block_count()));
    std::vector<OwnForms> forms(sizes.size());
    place_.clear();
    for (int i = 0; i < pieces(); ++i) {
      Block const at = block_at(pieces_.cells, i);
      auto const b = std::size_t(block_number(frame_.cells, at.at[0] / cut_, at.at[1], at.at[2]));
      Piece& piece = place_.emplace_back(Piece{int(b), sizes[b].groups, 1, sizes[b].points, 0});
      for (int d = 0; d < 3; ++d) piece.cells *= pieces_.cells.cells_in(d, at.at[d]);
      for (std::size_t p = 0; p < parts_; ++p) {
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

  /// The first block with two points at one place, if they are to be found, or -1.
  int arrange(BlockedPoints<T> const& points, bool find_twins) {
    std::vector<std::int32_t> twins(place_.size(), 0);
    if (workers_ == 0) arrange_here(points, find_twins, twins);
    else arrange_by_tasks(points, find_twins, twins);
    auto const first = std::find(twins.begin(), twins.end(), 1);
    return first == twins.end() ? -1 : place_[std::size_t(first - twins.begin())].block;
  }

 private:
  /// A run of cells of a block, and of its points.
  struct Piece {
    int block, first_cell, cells, first, points;
  };

  /// Into how many a block is cut, so that all workers have something to do: GPUs want few blocks.
  static int pieces_of_block(Cells const& cells, int workers) {
    constexpr int for_each = 4;
    return std::clamp(for_each * workers / cells.block_count(), 1, std::max(1, cells.count[0] / cells.blocks[0]));
  }
  int pieces() const noexcept { return pieces_.cells.block_count(); }
  PieceArrays<T> arrays(BlockedPoints<T> const& points, Piece const& p) const {
    return PieceArrays<T>::of(points.arrays(p.block), p.first_cell, p.cells, p.first, p.points);
  }

  /// The buckets of all parts, for the tasks of one step.
  std::vector<SolveData> bucket_data() {
    std::vector<SolveData> parts;
    for (auto& words : words_) parts.push_back(SolveData::over("buckets", words.data(), std::int64_t(words.size())));
    return parts;
  }

  /// Where workers have several memories, the step ends when what it wrote is back in ours.
  static void bring_home(Graph& graph, std::vector<SolveData> const& written) {
    if (runs_in_one_memory(codelet_of<Bucket<T>>())) return;
    for (SolveData const& data : written) graph.solve().bring_home(data);
  }

  std::int64_t first_of(std::size_t part) const noexcept { return std::int64_t(points_ * part / parts_); }
  Buckets<T, std::uint32_t const> part(std::size_t p) const { return {words_[p].data(), pieces()}; }

  void bucket_here() {
    std::vector<PlaceInBlock> places(points_ / parts_ + 1);
    for (std::size_t p = 0; p < parts_; ++p)
      bucket_points(pieces_, lookup_.data(), rows_.data(), first_of(p), first_of(p + 1), keep_unwrapped_, places.data(),
                    Buckets<T, std::uint32_t>(words_[p].data(), pieces()));
  }

  void arrange_here(BlockedPoints<T> const& points, bool find_twins, std::vector<std::int32_t>& twins) {
    std::vector<std::int32_t> table(std::size_t(twin_table_size(largest())));
    for (int i = 0; i < pieces(); ++i) {
      auto const out = arrays(points, place_[std::size_t(i)]);
      arrange_piece(
          pieces_, i, int(parts_), [&](int p) { return part(std::size_t(p)); }, out);
      auto const& apart = out.near[0] != nullptr ? out.near : out.position;
      twins[std::size_t(i)] = find_twins && has_twins(apart, out.points, table.data());
    }
  }

  void arrange_by_tasks(BlockedPoints<T> const& points, bool find_twins, std::vector<std::int32_t>& twins) {
    submit_solve(runtime_, {}, {}, [&](Graph& graph) {
      auto const parts = bucket_data();
      auto const table = SolveData::temporary<std::int32_t>("twin table", twin_table_size(largest()));
      std::vector<SolveData> written;
      auto const over = [&](char const* name, auto* memory, std::int64_t count) {
        written.push_back(SolveData::over(name, memory, count));
        return Handle(written.back());
      };
      for (int i = 0; i < pieces(); ++i) {
        auto const out = arrays(points, place_[std::size_t(i)]);
        std::vector<Handle> handles{over("offsets", out.offset, out.offsets()), over("index", out.row, out.room)};
        auto const keep = [&](char const* name, auto const& form) {
          for (auto* along : form)
            if (along != nullptr) handles.push_back(over(name, along, out.room));
          return form[0] != nullptr;
        };
        keep("positions", out.position);
        KeptByBlock kept;
        kept.near = keep("near positions", out.near);
        kept.given = keep("unwrapped positions", out.given);
        kept.rough = keep("rough positions", out.rough);
        graph.insert<Arrange<T>>({pieces_, i, out.points, out.cells, out.first, out.last, kept, find_twins},
                                 {i, arrange_flops * out.points}, read({parts.begin(), parts.end()}), scratch(table),
                                 write(std::move(handles)), write(over("twins", &twins[std::size_t(i)], 1)));
      }
      bring_home(graph, written);
    }).wait();
  }

  /// Points of a piece.
  int largest() const {
    int most = 0;
    for (Piece const& piece : place_) most = std::max(most, piece.points);
    return most;
  }

  std::shared_ptr<RuntimeState> runtime_;
  Frame const& frame_;
  std::span<T const> rows_;
  bool keep_unwrapped_;
  std::size_t points_;
  int workers_;
  std::size_t parts_;
  int cut_;
  Frame pieces_;
  std::vector<std::int32_t> lookup_;
  std::vector<Piece> place_;
  std::vector<BulkVector<std::uint32_t>> words_;  // Buckets of each part
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
    place(frame, &rows[3 * std::size_t(bad)], what, std::size_t(bad));  // says what is wrong with it
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

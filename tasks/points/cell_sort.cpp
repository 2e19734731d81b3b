// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/cell_sort.hpp"

#include "codelets/points/arrange/arrange.hpp"
#include "codelets/points/bucket/bucket.hpp"
#include "core/geometry/cell_sort.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/engine/submit.hpp"
#include "tasks/points/sort_workers.hpp"

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
        points_(rows.size() / 3), blocks_(frame.cells.block_count()), lookup_(cell_lookup(frame.cells)),
        workers_(sort_workers(points_)), parts_(sort_parts(points_, workers_)) {
    for (std::size_t p = 0; p < parts_; ++p)
      words_.emplace_back(std::size_t(Buckets<T, std::uint32_t>::size(blocks_, first_of(p + 1) - first_of(p))));
  }

  void bucket() {
    if (workers_ == 0) return bucket_here();
    submit_solve(runtime_, {}, {}, [&](Graph& graph) {
      auto const parts = bucket_data();
      auto const rows = SolveData::constant("points", rows_.data(), std::int64_t(rows_.size()));
      auto const lookup = SolveData::constant("cell lookup", lookup_.data(), std::int64_t(lookup_.size()));
      auto const places = SolveData::temporary<PlaceInBlock>("places", std::int64_t(points_ / parts_ + 1));
      for (std::size_t p = 0; p < parts_; ++p)
        graph.insert<Bucket<T>>({frame_, first_of(p), first_of(p + 1), keep_unwrapped_},
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

  /// Where the blocks begin and which forms they have. After bucket.
  BlockedPoints<T> make_blocks() const {
    std::vector<BlockSize> sizes(static_cast<std::size_t>(blocks_));
    std::vector<OwnForms> forms(sizes.size());
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      Block const block = block_at(frame_.cells, int(b));
      sizes[b].groups = 1;
      for (int d = 0; d < 3; ++d) sizes[b].groups *= frame_.cells.cells_in(d, block.at[d]);
      for (std::size_t p = 0; p < parts_; ++p) {
        sizes[b].points += std::int32_t(part(p).begin()[b + 1] - part(p).begin()[b]);
        std::uint32_t const found = part(p).forms()[b];
        forms[b].near |= (found & Buckets<T, std::uint32_t>::near_differs) != 0;
        forms[b].unwrapped |= (found & Buckets<T, std::uint32_t>::given_differs) != 0;
      }
    }
    BlockedPoints<T> points(std::move(sizes), {.rough = true, .unwrapped = keep_unwrapped_});
    points.make_forms(forms);
    return points;
  }

  /// The first block with two points at one place, if they are to be found, or -1.
  int arrange(BlockedPoints<T> const& points, bool find_twins) {
    std::vector<std::int32_t> twins(static_cast<std::size_t>(blocks_), 0);
    if (workers_ == 0) arrange_here(points, find_twins, twins);
    else arrange_by_tasks(points, find_twins, twins);
    auto const first = std::find(twins.begin(), twins.end(), 1);
    return first == twins.end() ? -1 : int(first - twins.begin());
  }

 private:
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
  Buckets<T, std::uint32_t const> part(std::size_t p) const { return {words_[p].data(), blocks_}; }

  void bucket_here() {
    std::vector<PlaceInBlock> places(points_ / parts_ + 1);
    for (std::size_t p = 0; p < parts_; ++p)
      bucket_points(frame_, lookup_.data(), rows_.data(), first_of(p), first_of(p + 1), keep_unwrapped_, places.data(),
                    Buckets<T, std::uint32_t>(words_[p].data(), blocks_));
  }

  void arrange_here(BlockedPoints<T> const& points, bool find_twins, std::vector<std::int32_t>& twins) {
    std::vector<std::int32_t> table(std::size_t(twin_table_size(largest(points))));
    for (int b = 0; b < blocks_; ++b) {
      auto const out = points.arrays(b);
      arrange_block(
          frame_, b, int(parts_), [&](int p) { return part(std::size_t(p)); }, out);
      twins[std::size_t(b)] = find_twins && has_twins(points.near(b), out.stride, out.points, table.data());
    }
  }

  void arrange_by_tasks(BlockedPoints<T> const& points, bool find_twins, std::vector<std::int32_t>& twins) {
    submit_solve(runtime_, {}, {}, [&](Graph& graph) {
      auto const parts = bucket_data();
      auto const table = SolveData::temporary<std::int32_t>("twin table", twin_table_size(largest(points)));
      std::vector<SolveData> written;
      auto const over = [&](char const* name, auto* memory, std::int64_t count) {
        written.push_back(SolveData::over(name, memory, count));
        return Handle(written.back());
      };
      for (int b = 0; b < blocks_; ++b) {
        auto const out = points.arrays(b);
        std::vector<Handle> forms{over("offsets", out.offset, out.cells + 1), over("index", out.row, out.stride),
                                  over("positions", out.position, 3 * out.stride)};
        if (out.near != nullptr) forms.push_back(over("near positions", out.near, 3 * out.stride));
        if (out.given != nullptr) forms.push_back(over("unwrapped positions", out.given, 3 * out.stride));
        if (out.rough != nullptr) forms.push_back(over("rough positions", out.rough, 3 * out.stride));
        KeptByBlock const kept{out.near != nullptr, out.given != nullptr, out.rough != nullptr};
        graph.insert<Arrange<T>>({frame_, b, out.points, kept, find_twins}, {b, arrange_flops * out.points},
                                 read({parts.begin(), parts.end()}), scratch(table), write(std::move(forms)),
                                 write(over("twins", &twins[std::size_t(b)], 1)));
      }
      bring_home(graph, written);
    }).wait();
  }

  static int largest(BlockedPoints<T> const& points) {
    int most = 0;
    for (int b = 0; b < points.blocks(); ++b) most = std::max(most, points.count(b));
    return most;
  }

  std::shared_ptr<RuntimeState> runtime_;
  Frame const& frame_;
  std::span<T const> rows_;
  bool keep_unwrapped_;
  std::size_t points_;
  int blocks_;
  std::vector<std::int32_t> lookup_;
  int workers_;
  std::size_t parts_;
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

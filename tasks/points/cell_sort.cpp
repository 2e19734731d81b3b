// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/cell_sort.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace nearfar::detail {

namespace {

/// For one direction: the block of each cell, and the cell's place in its block.
struct Lookup {
  std::vector<int> block, local;
  Lookup(Cells const& cells, int d) : block(std::size_t(cells.count[d])), local(block.size()) {
    for (int c = 0; c < cells.count[d]; ++c) {
      block[std::size_t(c)] = cells.block_of(d, c);
      local[std::size_t(c)] = c - cells.first_cell(d, block[std::size_t(c)]);
    }
  }
};

/// First by block, part by part of the rows: count, then where each part's points begin in each block, then there. Then
/// block by block, by cell. Each step is for any order of parts and blocks, and keeps the order of the rows.
template <class T>
class CellSort {
 public:
  CellSort(Frame const& frame, std::span<T const> rows, char const* what)
      : frame_(frame), rows_(rows), what_(what), points_(rows.size() / 3),
        blocks_(std::size_t(frame.cells.block_count())), lookup_{{frame.cells, 0}, {frame.cells, 1}, {frame.cells, 2}},
        place_(points_), staged_(points_), parts_(std::clamp<std::size_t>(points_ / points_of_part, 1, max_parts)),
        next_(parts_ * blocks_, 0) {}

  std::size_t parts() const noexcept { return parts_; }

  void count(std::size_t part) {
    std::uint32_t* const in_block = &next_[part * blocks_];
    for (std::size_t i = first_of(part); i < first_of(part + 1); ++i) {
      place_[i] = place_of(i);
      ++in_block[place_[i].block];
    }
  }

  /// After all parts were counted.
  std::vector<BlockSize> sizes() {
    std::vector<BlockSize> sizes(blocks_);
    begin_.assign(1, 0);
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
      Block const block = block_at(frame_.cells, int(b));
      for (std::size_t part = 0; part < parts_; ++part) {
        std::uint32_t const here = next_[part * blocks_ + b];
        next_[part * blocks_ + b] = sum;
        sum += here;
      }
      sizes[b].points = std::int32_t(sum - begin_.back());
      sizes[b].groups = frame_.cells.cells_in(0, block.at[0]) * frame_.cells.cells_in(1, block.at[1]) *
                        frame_.cells.cells_in(2, block.at[2]);
      begin_.push_back(sum);
    }
    return sizes;
  }

  /// After sizes.
  void stage(std::size_t part) {
    std::uint32_t* const next = &next_[part * blocks_];
    for (std::size_t i = first_of(part); i < first_of(part + 1); ++i)
      staged_[next[place_[i].block]++] = {std::uint32_t(i), place_[i].cell};
  }

  /// After all parts were staged.
  void fill(BlockedPoints<T>& points, int block) const {
    auto const first = staged_.begin() + begin_[std::size_t(block)],
               last = staged_.begin() + begin_[std::size_t(block) + 1];
    std::int32_t* const offset = points.offsets(block);
    int const cells = points.groups(block);
    std::fill_n(offset, cells + 1, 0);
    // The ends of cells, from which the points go down to their beginnings.
    for (auto p = first; p != last; ++p) ++offset[p->cell];
    for (int c = 0; c < cells; ++c) offset[c + 1] += offset[c];
    std::uint32_t* const row = points.rows(block);
    for (auto p = last; p != first;) {
      --p;
      row[--offset[p->cell]] = p->row;
    }
    points.fill(block, [&](std::uint32_t i, T* x, T* near, T* given) {
      auto const in = place(frame_, &rows_[3 * std::size_t(i)], what_, i);
      auto const by_near = place_near(frame_, &rows_[3 * std::size_t(i)], in);
      for (std::size_t d = 0; d < 3; ++d) {
        x[d] = in[d];
        near[d] = by_near[d];
        given[d] = T(frame_.unit.ours(double(rows_[3 * std::size_t(i) + d])));
      }
    });
  }

 private:
  static constexpr std::size_t points_of_part = 1 << 14, max_parts = 64;

  struct Place {
    std::uint32_t block, cell;
  };
  struct Staged {
    std::uint32_t row, cell;
  };

  std::size_t first_of(std::size_t part) const noexcept { return points_ * part / parts_; }

  Place place_of(std::size_t i) const {
    Cells const& cells = frame_.cells;
    int at[3], in[3];
    auto const x = place(frame_, &rows_[3 * i], what_, i);
    for (int d = 0; d < 3; ++d) {
      auto const c = std::size_t(cells.cell(d, double(x[std::size_t(d)])));
      at[d] = lookup_[d].block[c];
      in[d] = lookup_[d].local[c];
    }
    return {std::uint32_t(block_number(cells, at[0], at[1], at[2])),
            std::uint32_t((in[0] * cells.cells_in(1, at[1]) + in[1]) * cells.cells_in(2, at[2]) + in[2])};
  }

  Frame const& frame_;
  std::span<T const> rows_;
  char const* what_;
  std::size_t points_, blocks_;
  Lookup lookup_[3];
  std::vector<Place> place_;
  std::vector<Staged> staged_;  // by block
  std::size_t parts_;
  std::vector<std::uint32_t> next_;   // [part][block]: how many points, then where the next one goes
  std::vector<std::uint32_t> begin_;  // of each block in staged_, and the end
};

}  // namespace

template <class T>
BlockedPoints<T> sorted_into_cells(Frame const& frame, std::span<T const> rows, char const* what, bool keep_unwrapped,
                                   bool distinct) {
  if (rows.size() / 3 > std::size_t(std::numeric_limits<std::int32_t>::max()))
    throw Error(Fault::bad_input,
                std::to_string(rows.size() / 3) + " " + what + "s are more than one process can number (2^31 - 1)");
  CellSort<T> sort(frame, rows, what);
  for (std::size_t part = 0; part < sort.parts(); ++part) sort.count(part);
  BlockedPoints<T> points(sort.sizes(), {.rough = true, .unwrapped = keep_unwrapped});
  for (std::size_t part = 0; part < sort.parts(); ++part) sort.stage(part);
  for (int b = 0; b < points.blocks(); ++b) {
    sort.fill(points, b);
    if (distinct) points.expect_distinct(b, frame, what);
  }
  points.register_blocks();
  return points;
}

template BlockedPoints<double> sorted_into_cells(Frame const&, std::span<double const>, char const*, bool, bool);
template BlockedPoints<float> sorted_into_cells(Frame const&, std::span<float const>, char const*, bool, bool);

}  // namespace nearfar::detail

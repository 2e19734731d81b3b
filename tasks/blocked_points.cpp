// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/blocked_points.hpp"

#include "tasks/placement.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>

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

}  // namespace

template <class T>
BlockedPoints<T>::BlockedPoints(Frame const& frame, std::span<T const> rows, char const* what, bool keep_given)
    : points_(rows.size() / 3), count_(std::size_t(frame.cells.block_count())), cells_(count_.size()) {
  Cells const& cells = frame.cells;
  if (points_ > std::size_t(std::numeric_limits<std::int32_t>::max()))
    throw Error(Fault::bad_input,
                std::to_string(points_) + " " + what + "s are more than one process can number (2^31 - 1)");
  std::size_t const blocks = count_.size();
  first_cell_.resize(blocks + 1);
  for (std::size_t b = 0; b < blocks; ++b) {
    Block const block = block_at(cells, int(b));
    cells_[b] = cells.cells_in(0, block.at[0]) * cells.cells_in(1, block.at[1]) * cells.cells_in(2, block.at[2]);
    // One more than its cells, and whole cache lines, so that blocks share none.
    first_cell_[b + 1] = first_cell_[b] + padded(cells_[b] + 1);
  }

  // Counting sort by cell: first how many, then where.
  Lookup const lookup[3] = {{cells, 0}, {cells, 1}, {cells, 2}};
  std::vector<std::uint32_t> key(points_);
  std::vector<std::uint32_t> size(std::size_t(first_cell_[blocks]), 0);
  std::vector<int> owner(points_);
  for (std::size_t i = 0; i < points_; ++i) {
    int at[3], in[3];
    auto const x = place(frame, &rows[3 * i], what, i);
    for (int d = 0; d < 3; ++d) {
      int const c = cells.cell(d, double(x[std::size_t(d)]));
      at[d] = lookup[d].block[std::size_t(c)];
      in[d] = lookup[d].local[std::size_t(c)];
    }
    int const b = block_number(cells, at[0], at[1], at[2]);
    int const cell = (in[0] * cells.cells_in(1, at[1]) + in[1]) * cells.cells_in(2, at[2]) + in[2];
    owner[i] = b;
    key[i] = std::uint32_t(first_cell_[std::size_t(b)] + cell);
    ++size[key[i]];
    ++count_[std::size_t(b)];
  }

  first_.resize(blocks + 1);
  for (std::size_t b = 0; b < blocks; ++b) first_[b + 1] = first_[b] + padded(count_[b]);
  positions_ = Arena<T>(std::size_t(3 * first_[blocks]));
  indices_ = Arena<std::uint32_t>(std::size_t(first_[blocks]));
  offsets_ = Arena<std::int32_t>(std::size_t(first_cell_[blocks]));
  std::fill_n(positions_.data(), positions_.size(), T(0));
  for (std::size_t b = 0; b < blocks; ++b) {
    std::int32_t* offset = offsets_.data() + first_cell_[b];
    offset[0] = 0;
    for (int c = 0; c < cells_[b]; ++c) offset[c + 1] = offset[c] + std::int32_t(size[std::size_t(first_cell_[b] + c)]);
  }
  std::fill(size.begin(), size.end(), 0);
  for (std::size_t i = 0; i < points_; ++i) {
    std::size_t const b = std::size_t(owner[i]);
    std::int64_t const at = offsets_.data()[key[i]] + size[key[i]]++;
    indices_.data()[first_[b] + at] = std::uint32_t(i);
    auto const x = place(frame, &rows[3 * i], what, i);
    for (int d = 0; d < 3; ++d) positions_.data()[3 * first_[b] + d * stride(int(b)) + at] = x[std::size_t(d)];
  }
  if (keep_given) keep_given_positions(rows);
  make_rough_positions();
  register_blocks(cells);
}

template <class T>
void BlockedPoints<T>::keep_given_positions(std::span<T const> rows) {
  given_ = Arena<T>(positions_.size());
  std::fill_n(given_.data(), given_.size(), T(0));
  bool wrapped = false;
  for (std::size_t b = 0; b < count_.size(); ++b)
    for (int i = 0; i < count_[b]; ++i) {
      std::size_t const row = indices_.data()[first_[b] + i];
      for (int d = 0; d < 3; ++d) {
        std::int64_t const place = 3 * first_[b] + d * stride(int(b)) + i;
        given_.data()[place] = rows[3 * row + std::size_t(d)];
        wrapped = wrapped || given_.data()[place] != positions_.data()[place];
      }
    }
  if (!wrapped) given_ = Arena<T>();
}

template <class T>
void BlockedPoints<T>::make_rough_positions() {
  if constexpr (std::is_same_v<T, float>) return;
  rough_ = Arena<float>(positions_.size());
  for (std::size_t i = 0; i < rough_.size(); ++i) rough_.data()[i] = float(positions_.data()[i]);
}

template <class T>
std::int64_t BlockedPoints<T>::stride(int block) const noexcept {
  return first_[std::size_t(block) + 1] - first_[std::size_t(block)];
}

template <class T>
std::int64_t BlockedPoints<T>::stride_for(int points) noexcept {
  return padded(points);
}

template <class T>
void BlockedPoints<T>::register_blocks(Cells const& cells) {
  for (int b = 0; b < cells.block_count(); ++b) {
    auto const i = std::size_t(b);
    position_.push_back(Data::constant("positions", positions_.data() + 3 * first_[i], 3 * stride(b)));
    if (given_.size() > 0)
      given_position_.push_back(Data::constant("given positions", given_.data() + 3 * first_[i], 3 * stride(b)));
    if (rough_.size() > 0)
      rough_position_.push_back(Data::constant("rough positions", rough_.data() + 3 * first_[i], 3 * stride(b)));
    offset_.push_back(Data::constant("offsets", offsets_.data() + first_cell_[i], cells_[i] + 1));
    index_.push_back(Data::constant("index", indices_.data() + first_[i], stride(b)));
  }
}

template <class T>
void BlockedPoints<T>::expect_distinct(Frame const& frame, char const* what) const {
  std::vector<std::int32_t> order;
  for (std::size_t b = 0; b < count_.size(); ++b) {
    std::int32_t const* offset = offsets_.data() + first_cell_[b];
    T const* x = positions_.data() + 3 * first_[b];
    std::int64_t const s = stride(int(b));
    auto at = [&](std::int32_t i) { return std::array<T, 3>{x[i], x[s + i], x[2 * s + i]}; };
    for (int c = 0; c < cells_[b]; ++c) {
      if (offset[c + 1] - offset[c] < 2) continue;
      order.resize(std::size_t(offset[c + 1] - offset[c]));
      std::iota(order.begin(), order.end(), offset[c]);
      std::sort(order.begin(), order.end(), [&](auto i, auto j) { return at(i) < at(j); });
      auto const same = std::adjacent_find(order.begin(), order.end(), [&](auto i, auto j) { return at(i) == at(j); });
      if (same == order.end()) continue;
      std::uint32_t const* index = indices_.data() + first_[b];
      auto point = at(*same);
      for (std::size_t d = 0; d < 3; ++d) point[d] += T(frame.origin[d]);
      point = outside(frame.axes, point);
      not_distinct(what, index[same[0]], index[same[1]], point);
    }
  }
}

template class BlockedPoints<double>;
template class BlockedPoints<float>;

}  // namespace nearfar::detail

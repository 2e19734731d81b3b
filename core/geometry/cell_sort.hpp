// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/block_arrays.hpp"
#include "core/geometry/placing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace nearfar {

/// Sorting points into the cells of a frame, in two steps. First, parts of the rows are sorted by block,
/// each part on its own, by counting. Then each block takes its points from all parts in turn and sorts them
/// by cell. Both steps keep the order of the rows, so the result does not depend on the number of parts.
/// When there are few large blocks, each is sorted in pieces, which are runs of its cells (in_pieces).

/// The same frame with each block cut into pieces along x, whose cells and points follow one another.
inline Frame in_pieces(Frame frame, int pieces) {
  frame.cells.blocks[0] *= pieces;
  frame.cells.parts *= pieces;
  return frame;
}

/// For every cell along a direction: its block, its place in the block, and how many cells
/// the block has along that direction. Three numbers each, direction after direction.
inline std::vector<std::int32_t> cell_lookup(Cells const& cells) {
  std::vector<std::int32_t> table;
  for (int d = 0; d < 3; ++d)
    for (int c = 0; c < cells.count[d]; ++c) {
      int const block = cells.block_of(d, c);
      table.insert(table.end(), {block, c - cells.first_cell(d, block), cells.cells_in(d, block)});
    }
  return table;
}

/// Where a point belongs: a block and a cell of it.
struct PlaceInBlock {
  std::uint32_t block, cell;
};

/// A point between the two steps: its coordinates and row as the caller gave them, and its cell in its block.
/// The coordinates are copied because reading the rows again in the order of cells would mostly wait for memory.
template <class T>
struct BucketedPoint {
  T x[3];
  std::uint32_t row, cell;
};

/// The points of one part by block, in 32-bit words: the first bad row + 1, or 0; where the points of each
/// block begin, and the end; which forms of positions some point of each block needs; and the points.
template <class T, class Word>
class Buckets {
 public:
  enum : std::uint32_t { near_differs = 1, given_differs = 2 };

  Buckets(Word* words, int blocks) : words_(words), blocks_(blocks) {}

  static std::int64_t size(int blocks, std::int64_t points) {
    return 2 + 2 * std::int64_t(blocks) + std::int64_t(sizeof(BucketedPoint<T>) / sizeof(Word)) * points;
  }

  Word& bad() const { return words_[0]; }
  Word* begin() const { return words_ + 1; }
  Word* forms() const { return words_ + 2 + blocks_; }
  auto* points() const {
    using Point = std::conditional_t<std::is_const_v<Word>, BucketedPoint<T> const, BucketedPoint<T>>;
    return reinterpret_cast<Point*>(words_ + 2 + 2 * blocks_);
  }

 private:
  Word* words_;
  int blocks_;
};

/// Sorts the rows first .. last by block. `places` has room for as many. Stops at a bad point and records which it was.
template <class T>
void bucket_points(Frame const& frame, std::int32_t const* lookup, T const* rows, std::int64_t first, std::int64_t last,
                   bool keep_given, PlaceInBlock* places, Buckets<T, std::uint32_t> const& out) {
  using Sorted = Buckets<T, std::uint32_t>;
  constexpr int most = Placer<T>::most;
  Placer<T> placer(frame);
  Cells const cells = frame.cells;
  int const blocks = cells.block_count();
  std::int32_t const* const of_direction[3] = {lookup, lookup + 3 * cells.count[0],
                                               lookup + 3 * (cells.count[0] + cells.count[1])};
  std::uint32_t *const begin = out.begin(), *const forms = out.forms();
  out.bad() = 0;
  std::fill_n(begin, 2 * blocks + 1, 0u);  // and forms
  T x[3][most], near[3][most];
  std::int32_t cell[3][most];
  int plain = blocks;  // whose near positions are the others so far
  for (std::int64_t i = first; i < last; i += most) {
    int const count = int(std::min<std::int64_t>(most, last - i));
    T const* const row = rows + 3 * i;
    bool const look = plain > 0;
    int const placed = placer.place(
        count, [row](int j) { return row + 3 * j; }, {x[0], x[1], x[2]},
        look ? std::array<T*, 3>{near[0], near[1], near[2]} : std::array<T*, 3>{});
    if (placed < count) {
      out.bad() = std::uint32_t(i + placed) + 1;
      return;
    }
    placer.cells(count, {x[0], x[1], x[2]}, cell);
    PlaceInBlock* const place = places + (i - first);
    for (int j = 0; j < count; ++j) {
      std::int32_t const* at[3];
      for (int d = 0; d < 3; ++d) at[d] = of_direction[d] + 3 * cell[d][j];
      place[j] = {std::uint32_t(block_number(cells, at[0][0], at[1][0], at[2][0])),
                  std::uint32_t((at[0][1] * at[1][2] + at[1][1]) * at[2][2] + at[2][1])};
      ++begin[place[j].block];
    }
    for (int j = 0; look && j < count; ++j) {
      std::uint32_t& found = forms[place[j].block];
      if ((found & Sorted::near_differs) != 0) continue;
      if (x[0][j] == near[0][j] && x[1][j] == near[1][j] && x[2][j] == near[2][j]) continue;
      found |= Sorted::near_differs;
      --plain;
    }
    for (int j = 0; keep_given && j < count; ++j)
      for (int d = 0; d < 3; ++d)
        if (T(frame.unit.ours(double(row[3 * j + d]))) != x[d][j]) forms[place[j].block] |= Sorted::given_differs;
  }
  // Each block's counter now holds its end; points are placed from there down to its beginning.
  for (int b = 1; b < blocks; ++b) begin[b] += begin[b - 1];
  begin[blocks] = std::uint32_t(last - first);
  for (std::int64_t i = last; i-- > first;) {
    T const* const row = rows + 3 * i;
    out.points()[--begin[places[i - first].block]] = {
        {row[0], row[1], row[2]}, std::uint32_t(i), places[i - first].cell};
  }
}

/// A piece of a block within the block's arrays; the whole block
/// if there is only one piece. Forms that are not kept are null.
template <class T>
struct PieceArrays {
  int points = 0, cells = 0;
  int first = 0;          ///< index of its first point in the block
  std::int64_t room = 0;  ///< for its points and, after the last piece of a block, the padding
  bool last = true;       ///< the last piece of its block, which also writes the end of the offsets
  std::int32_t* offset = nullptr;
  std::uint32_t* row = nullptr;
  std::array<T*, 3> position{}, near{}, given{};
  std::array<float*, 3> rough{};

  int offsets() const { return cells + int(last); }

  /// The piece with the cells from `first_cell` on and the points from `first` on.
  static PieceArrays of(BlockArrays<T> const& block, int first_cell, int cells, int first, int points) {
    bool const last = first_cell + cells == block.cells;
    auto const along = [&](auto* form) {
      std::array<decltype(form), 3> at{};
      for (int d = 0; d < 3 && form != nullptr; ++d) at[std::size_t(d)] = form + d * block.stride + first;
      return at;
    };
    return {points,
            cells,
            first,
            last ? block.stride - first : points,
            last,
            block.offset + first_cell,
            block.row + first,
            along(block.position),
            along(block.near),
            along(block.given),
            along(block.rough)};
  }
};

/// Padding is zero because bodies read whole SIMD vectors.
template <class T>
void clear_padding(PieceArrays<T> const& out) {
  for (auto const& form : {out.position, out.near, out.given})
    for (T* const x : form)
      if (x != nullptr) std::fill(x + out.points, x + out.room, T(0));
  for (float* const x : out.rough)
    if (x != nullptr) std::fill(x + out.points, x + out.room, 0.f);
}

/// Places the points of a piece in all of its forms; row(i): the coordinates of point i.
template <class T, class Row>
void place_piece(Frame const& frame, PieceArrays<T> const& out, Row const& row) {
  Placer<T> placer(frame);
  T near[3][Placer<T>::most];
  for (int first = 0; first < out.points; first += placer.most) {
    int const count = std::min(placer.most, out.points - first);
    auto const from = [&](auto const& form) {
      auto at = form;
      for (auto*& along : at) along += first;
      return at;
    };
    auto const as_near = out.near[0] != nullptr ? from(out.near) : std::array<T*, 3>{near[0], near[1], near[2]};
    bool const wants_near = out.near[0] != nullptr || out.rough[0] != nullptr;
    placer.place(
        count, [&row, first](int i) { return row(first + i); }, from(out.position),
        wants_near ? as_near : std::array<T*, 3>{});
    for (std::size_t d = 0; d < 3 && out.given[0] != nullptr; ++d)
      for (int i = 0; i < count; ++i) out.given[d][first + i] = T(frame.unit.ours(double(row(first + i)[d])));
    for (std::size_t d = 0; d < 3 && out.rough[0] != nullptr; ++d) std::copy_n(as_near[d], count, out.rough[d] + first);
  }
  clear_padding(out);
}

/// The points of one block of a frame, cell by cell, in the order of their rows. `part(p)` are the buckets of part p of
/// `parts`; `order` has room for as many points.
template <class T, class Part>
void arrange_piece(Frame const& frame, int block, int parts, Part const& part, PieceArrays<T> const& out,
                   BucketedPoint<T> const** order) {
  std::fill_n(out.offset, out.cells, 0);
  for (int p = 0; p < parts; ++p) {
    auto const from = part(p);
    for (std::uint32_t i = from.begin()[block]; i < from.begin()[block + 1]; ++i) ++out.offset[from.points()[i].cell];
  }
  std::int32_t next = out.first;
  for (int c = 0; c < out.cells; ++c) next = out.offset[c] += next;
  if (out.last) out.offset[out.cells] = next;
  for (int p = parts; p-- > 0;) {
    auto const from = part(p);
    for (std::uint32_t i = from.begin()[block + 1]; i-- > from.begin()[block];) {
      BucketedPoint<T> const& point = from.points()[i];
      order[--out.offset[point.cell] - out.first] = &point;
    }
  }
  for (int i = 0; i < out.points; ++i) out.row[i] = order[i]->row;
  place_piece(frame, out, [order](int i) { return order[i]->x; });
}

/// Entries of the table that has_twins needs for this many points: a power of two.
inline std::int64_t twin_table_size(std::int64_t points) {
  return std::int64_t(std::bit_ceil(std::uint64_t(2 * points + 1)));
}

/// Whether two of the points coincide.
template <class T>
bool has_twins(std::array<T*, 3> const& x, int points, std::int32_t* table) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  using Number = std::remove_const_t<T>;
  std::uint64_t const mask = std::uint64_t(twin_table_size(points)) - 1;
  std::fill_n(table, mask + 1, -1);
  for (int i = 0; i < points; ++i) {
    std::uint64_t hash = 0;
    for (T const* const along : x) {
      hash ^= std::bit_cast<Bits>(along[i] + Number(0));  // +0 and -0 must hash alike
      hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;   // round numbers have empty low bits, so fold the high ones in
    }
    for (std::uint64_t at = (hash ^ hash >> 32) & mask;; at = (at + 1) & mask) {
      std::int32_t const other = table[at];
      if (other < 0) {
        table[at] = i;
        break;
      }
      if (x[0][other] == x[0][i] && x[1][other] == x[1][i] && x[2][other] == x[2][i]) return true;
    }
  }
  return false;
}
template <class T>
bool has_twins(T const* x, std::int64_t stride, int points, std::int32_t* table) {
  return has_twins<T const>({x, x + stride, x + 2 * stride}, points, table);
}

/// Whether two points of a cell are at the same place. Few are compared each with each, many by a table, which grows
/// as it has to.
template <class T>
bool has_twins(PieceArrays<T> const& piece, std::vector<std::int32_t>& table) {
  constexpr int few = 48;
  auto const& x = piece.near[0] != nullptr ? piece.near : piece.position;
  for (int c = 0; c < piece.cells; ++c) {
    int const first = piece.offset[c] - piece.first,
              last = c + 1 < piece.cells ? piece.offset[c + 1] - piece.first : piece.points;
    if (last - first > few) {
      table.resize(std::max(table.size(), std::size_t(twin_table_size(last - first))));
      if (has_twins<T>({x[0] + first, x[1] + first, x[2] + first}, last - first, table.data())) return true;
      continue;
    }
    int alike = 0;  // along the first direction, which is seldom
    for (int i = first; i < last; ++i) {
      T const at = x[0][i];
      for (int j = i + 1; j < last; ++j) alike += x[0][j] == at;
    }
    for (int i = first; alike > 0 && i < last; ++i)
      for (int j = i + 1; j < last; ++j)
        if (x[0][j] == x[0][i] && x[1][j] == x[1][i] && x[2][j] == x[2][i]) return true;
  }
  return false;
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/near_pair.hpp"
#include "core/geometry/cells.hpp"
#include "core/geometry/near_frame.hpp"
#include "core/geometry/point_range.hpp"
#include "core/kernels/pairs/packed_source.hpp"

#include <cmath>
#include <cstdint>

namespace nearfar {

/// The arguments of a P2P task.
struct P2PArgs {
  Cells cells;
  Block block;            ///< of targets
  PointRange chunk;       ///< of its points
  Neighbours neighbours;  ///< source blocks, in the order of the buffers
  int own = -1;           ///< index of the block that holds the targets themselves; -1: targets are not the sources
  bool contributions =
      false;  ///< pairs with points of other blocks are summed once for both (core/geometry/mutual.hpp)
};

/// A block of sources in memory, packed for sums in precision A, cell by cell: the points of cell c are
/// offsets[c] .. offsets[c + 1].
template <class A>
struct SourceView {
  float const* rough = nullptr;  ///< x[stride], y[stride], z[stride], to find who is near
  std::int64_t stride = 0;       ///< leaves room for a whole SIMD vector that begins at the last point
  A const* packed = nullptr;     ///< of each point (core/kernels/pairs/packed_source.hpp)
  std::int32_t const* offset = nullptr;
};

/// A column of cells along z that can hold points within the cutoff
/// of a target cell's column, and the image in which it does.
struct Column {
  int block[2];     ///< along x and y
  int cell[2];      ///< along x and y, wrapped
  int low, high;    ///< cells along z, relative to a target cell
  double shift[3];  ///< of the image's coordinates from those of the target cells (core/geometry/near_frame.hpp)
};

/// How far around a cell columns are looked for: what a task asks of its cells once, since it takes divisions.
struct ColumnReach {
  double edge[3];  ///< of a cell
  int cells[3];    ///< on either side
  double squared;  ///< Cells::reach_squared
};

NEARFAR_FUNCTION ColumnReach column_reach(Cells const& c) {
  return {{c.cell_edge(0), c.cell_edge(1), c.cell_edge(2)}, {c.reach(0), c.reach(1), c.reach(2)}, c.reach_squared()};
}

/// What find_column does in a skewed box, where the columns lean. Coordinates along rows, of a point in the column
/// relative to a target, are in a rectangle across the columns; with the cosines of the rows they give its distance
/// from the line through the target along z, and where on that line it is nearest.
NEARFAR_FUNCTION bool find_skewed_column(Cells const& c, ColumnReach const& reach, int cell_x, int cell_y, int dx,
                                         int dy, Column& column) {
  int const ux = cell_x + dx, uy = cell_y + dy;
  if (!c.has(0, ux) || !c.has(1, uy)) return false;
  double const(&e)[3] = reach.edge;
  double const xy = dot(c.row[0], c.row[1]) / (c.edge[0] * c.edge[1]),
               xz = dot(c.row[0], c.row[2]) / (c.edge[0] * c.edge[2]),
               yz = dot(c.row[1], c.row[2]) / (c.edge[1] * c.edge[2]);
  double const low[2] = {(dx - 1) * e[0], (dy - 1) * e[1]}, high[2] = {(dx + 1) * e[0], (dy + 1) * e[1]};
  double const xx = 1 - xz * xz, yy = 1 - yz * yz, mixed = xy - xz * yz;
  auto const square = [&](double x, double y) { return xx * x * x + 2 * mixed * x * y + yy * y * y; };
  auto const within = [&](int d, double at) { return at < low[d] ? low[d] : at > high[d] ? high[d] : at; };
  // The least square of the distance is 0 where the rectangle holds the line, or it is on one of its sides.
  double least = 0;
  if (low[0] > 0 || high[0] < 0 || low[1] > 0 || high[1] < 0) {
    least = square(low[0], within(1, -mixed * low[0] / yy));
    for (double const side :
         {square(high[0], within(1, -mixed * high[0] / yy)), square(within(0, -mixed * low[1] / xx), low[1]),
          square(within(0, -mixed * high[1] / xx), high[1])})
      least = side < least ? side : least;
  }
  double const rest = reach.squared - least;
  if (rest < 0) return false;
  double first = -sqrt(rest), last = -first;
  for (int d = 0; d < 2; ++d) {
    double const lean = d == 0 ? xz : yz, from = lean * low[d], to = lean * high[d];
    first -= from > to ? from : to;
    last -= from > to ? to : from;
  }
  int const cx = wrap(ux, c.count[0]), cy = wrap(uy, c.count[1]), rz = reach.cells[2];
  int const lowest = int(floor(first / e[2])), highest = int(ceil(last / e[2]));
  if (lowest > rz || highest < -rz) return false;
  column = {{c.block_of(0, cx), c.block_of(1, cy)},
            {cx, cy},
            lowest > -rz ? lowest : -rz,  // the task has no blocks farther away
            highest < rz ? highest : rz,
            {}};
  int const images[2] = {(ux - cx) / c.count[0], (uy - cy) / c.count[1]};
  for (int d = 0; d < 3; ++d) column.shift[d] = images[0] * c.row[0][d] + images[1] * c.row[1][d];
  return true;
}

/// The column (dx, dy) columns away from that of the target cells (cell_x, cell_y, any z);
/// false if it does not exist, or is so far away that none of its points is within the cutoff.
NEARFAR_FUNCTION bool find_column(Cells const& c, ColumnReach const& reach, int cell_x, int cell_y, int dx, int dy,
                                  Column& column) {
  if (c.skewed) return find_skewed_column(c, reach, cell_x, cell_y, dx, dy, column);
  double const(&edge)[3] = reach.edge;
  int const ux = cell_x + dx, uy = cell_y + dy;
  if (!c.has(0, ux) || !c.has(1, uy)) return false;
  double const gx = dx == 0 ? 0 : ((dx > 0 ? dx : -dx) - 1) * edge[0];
  double const gy = dy == 0 ? 0 : ((dy > 0 ? dy : -dy) - 1) * edge[1];
  double const rest = reach.squared - gx * gx - gy * gy;
  if (rest < 0) return false;
  int const cx = wrap(ux, c.count[0]), cy = wrap(uy, c.count[1]);
  int const along = int(sqrt(rest) / edge[2]) + 1, rz = reach.cells[2],
            farthest = along < rz ? along : rz;  // the task has no blocks farther away
  column = {{c.block_of(0, cx), c.block_of(1, cy)},
            {cx, cy},
            -farthest,
            farthest,
            {near_shift(c, 0, cell_x, ux, cx), near_shift(c, 1, cell_y, uy, cy), 0}};
  return true;
}

/// Calls visit(column) for the columns around the target cells (cell_x, cell_y, any
/// z), pruned by distance, so that most points beyond the cutoff are never touched.
template <class Visit>
NEARFAR_FUNCTION void for_each_column(Cells const& c, int cell_x, int cell_y, Visit&& visit) {
  ColumnReach const reach = column_reach(c);
  int const rx = reach.cells[0], ry = reach.cells[1];
  for (int dx = -rx; dx <= rx; ++dx)
    for (int dy = -ry; dy <= ry; ++dy)
      if (Column column; find_column(c, reach, cell_x, cell_y, dx, dy, column)) visit(column);
}

/// Calls visit(source view, cell of the block, z, length, shift[3]) for each stretch of a column
/// that lies in one block and one image, from z = low to high (unwrapped) where cells exist.
/// `target` is the z of a target cell; the target cells are all apart (core/geometry/near_frame.hpp)
/// or none is. `sources(i)` returns the view of neighbour i, or an empty one to skip it.
template <class T, class Sources, class Visit>
NEARFAR_FUNCTION void for_each_stretch(P2PArgs const& args, Column const& column, int low, int high, int target,
                                       Sources const& sources, Visit&& visit) {
  Cells const& c = args.cells;
  int const apart = apart_cells(c, 2);
  if (!c.has(2, low)) low = 0;
  if (!c.has(2, high)) high = c.count[2] - 1;
  for (int uz = low; uz <= high;) {
    int const cz = wrap(uz, c.count[2]);
    int const bz = c.block_of(2, cz);
    int length = c.first_cell(2, bz + 1) - cz;
    if (cz < apart && cz + length > apart) length = apart - cz;
    if (uz + length > high + 1) length = high + 1 - uz;
    auto const source = sources(args.neighbours.place(column.block[0], column.block[1], bz));
    int const first = cell_in_block(c, {{column.block[0], column.block[1], bz}}, column.cell[0], column.cell[1], cz);
    T shift[3] = {T(column.shift[0]), T(column.shift[1]), T(0)};
    if (c.skewed)
      for (int d = 0; d < 3; ++d) shift[d] = T(column.shift[d] + (uz - cz) / c.count[2] * c.row[2][d]);
    else shift[2] = T(near_shift(c, 2, target, uz, cz));
    if (source.offset != nullptr) visit(source, first, uz, length, shift);
    uz += length;
  }
}

/// Calls visit(source view, first point, last point, shift[3]) for all runs of points around one target cell.
template <class T, class Sources, class Visit>
NEARFAR_FUNCTION void for_each_run(P2PArgs const& args, int const cell[3], Sources const& sources, Visit&& visit) {
  for_each_column(args.cells, cell[0], cell[1], [&](Column const& column) {
    for_each_stretch<T>(args, column, cell[2] + column.low, cell[2] + column.high, cell[2], sources,
                        [&](auto const& source, int first, int, int length, T const* shift) {
                          visit(source, source.offset[first], source.offset[first + length], shift);
                        });
  });
}

/// The square of the cutoff plus a margin for positions and sums of squares in single precision.
NEARFAR_FUNCTION float rough_limit(Cells const& c) {
  double longest = c.edge[0];  // no coordinate is larger
  for (int d = 1; d < 3; ++d) longest = c.edge[d] > longest ? c.edge[d] : longest;
  if (c.skewed) longest = c.edge[0] + c.edge[1] + c.edge[2];
  double const epsilon = 0x1p-24, reach = c.cutoff + 6 * epsilon * (longest + c.cutoff);
  return float(reach * reach * (1 + 8 * epsilon));
}

/// 1 / sqrt(x), x > 0.
template <class T>
NEARFAR_FUNCTION T inverse_root(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8) {
    // rsqrt() also handles numbers that squared distances never are, which costs a tenth of P2P.
    T y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    T const e = fma(-x * y, y, T(1));
    return fma(fma(T(0.375), e, T(0.5)), y * e, y);
  } else {
    return rsqrt(x);
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  return rsqrt(x);
#else
  return T(1) / T(sqrt(x));
#endif
}

/// The same of a normal number: without the steps that a GPU takes for others, a twentieth of P2P.
template <class T>
NEARFAR_FUNCTION T inverse_root_of_normal(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 4) {
    T y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
#endif
  return inverse_root(x);
}

/// Sums a run of sources onto one target, in the precision of the target's coordinates.
template <class K, class T, class A>
NEARFAR_FUNCTION void p2p_run(NearKernel<T> const& near, T const x[3], SourceView<A> const& source, int first, int last,
                              T const shift[3], T* u) {
  using Pair = typename K::Near;
  using Packed = PackedSource<T, A>;
  for (int j = first; j < last; ++j) {
    A const* const record = source.packed + std::int64_t(j) * Packed::width(K::strengths);
    T r[3];
    for (int d = 0; d < 3; ++d) r[d] = x[d] - shift[d] - Packed::position(record, K::strengths, d);
    T const r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (r2 >= near.cutoff_squared) continue;
    T const inverse = r2 > 0 ? inverse_root(r2) : T(0);
    T factor[1][Pair::factor_count], strength[K::strengths];
    near_factors<Pair, 1>(near, &r2, &inverse, factor);
    for (int m = 0; m < K::strengths; ++m) strength[m] = T(record[Packed::first_strength + m]);
    Pair::add(factor[0], r[0], r[1], r[2], strength, u);
  }
}

/// The cell of a block that holds a point of it: the last one that begins at or before it.
NEARFAR_FUNCTION int cell_of_point(std::int32_t const* offset, int cells, int point) {
  int low = 0, high = cells;
  while (high - low > 1) {
    int const middle = (low + high) / 2;
    (offset[middle] <= point ? low : high) = middle;
  }
  return low;
}

/// Global indices of a block's cell number i.
NEARFAR_FUNCTION void cell_of_block(Cells const& c, Block const& block, int i, int cell[3]) {
  int const ny = c.cells_in(1, block.at[1]), nz = c.cells_in(2, block.at[2]);
  cell[2] = c.first_cell(2, block.at[2]) + i % nz;
  cell[1] = c.first_cell(1, block.at[1]) + i / nz % ny;
  cell[0] = c.first_cell(0, block.at[0]) + i / nz / ny;
}

NEARFAR_FUNCTION int cells_of_block(Cells const& c, Block const& block) {
  return c.cells_in(0, block.at[0]) * c.cells_in(1, block.at[1]) * c.cells_in(2, block.at[2]);
}

}  // namespace nearfar

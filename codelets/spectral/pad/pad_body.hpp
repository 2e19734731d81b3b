// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/pad/pad.hpp"

#include <cstdint>

namespace nearfar {

/// Maps our cells to the caller's. Plain data, copied into kernels.
struct CallersCells {
  std::int64_t stride[3];  ///< of the caller's array, by our axes
  int size[3];             ///< of the caller's box, by our axes
  int mirrored;            ///< our axis along which the mirror image lies, or -1
  bool mirror_below;

  explicit CallersCells(PoissonGrid const& grid);

  /// Our cell i along axis d; a cell of the mirror image maps to its original.
  struct Cell {
    std::int64_t at;  ///< its contribution to the index in the caller's array
    bool image;
  };
  NEARFAR_FUNCTION Cell operator()(int d, int i) const {
    if (d != mirrored) return {i * stride[d], false};
    int const n = size[d];
    bool const image = mirror_below ? i < n : i >= n;
    int const real = mirror_below ? i - n : i;
    return {(image ? (mirror_below ? n - 1 - i : 2 * n - 1 - i) : real) * stride[d], image};
  }
};

/// The cells of a slab, the cells of a row along z being consecutive.
struct SlabCells {
  CallersCells callers;
  int first, planes, rows, length;  ///< planes of the slab; rows and cells of each
  int row_length;
  std::int64_t plane_size;

  SlabCells(PoissonGrid const& grid, SpectralLayout const& l, int slab)
      : callers(grid), first(l.first_plane(slab)), planes(l.planes(slab)), rows(l.size[1]), length(l.size[2]),
        row_length(l.row_length), plane_size(l.plane_size()) {}

  NEARFAR_FUNCTION std::int64_t row_count() const { return std::int64_t(planes) * rows; }
  NEARFAR_FUNCTION std::int64_t count() const { return row_count() * length; }

  struct Row {
    std::int64_t callers, own;  ///< where its first cell is
    bool image;
  };
  NEARFAR_FUNCTION Row row(std::int64_t number) const {
    int const plane = int(number / rows), y = int(number % rows);
    auto const a = callers(0, first + plane), b = callers(1, y);
    return {a.at + b.at, plane * plane_size + std::int64_t(y) * row_length, a.image || b.image};
  }
};

/// One row of cells of a slab, or one cell.
template <class T>
struct PadBody {
  SlabCells cells;
  T const* density;
  T* slab;

  /// Cell z of a row; returns its index in the caller's array.
  NEARFAR_FUNCTION std::int64_t copy(SlabCells::Row const& row, int z) const {
    auto const c = cells.callers(2, z);
    std::int64_t const place = row.callers + c.at;
    slab[row.own + z] = row.image || c.image ? -density[place] : density[place];
    return place;
  }
};

template <class T>
struct RestrictBody {
  SlabCells cells;
  T const* slab;           ///< beginning with the first of the components
  std::int64_t component;  ///< stride of components
  T* out;                  ///< rows of `components`, of the caller's cells [begin, end)
  std::int64_t begin, end;
  int components, column[3];

  RestrictBody(RestrictArgs const& args, T const* slab_, T* out_)
      : cells(args.grid, args.layout, args.slab), component(cells.planes * cells.plane_size), out(out_),
        begin(args.begin), end(args.end), components(args.components), column{} {
    slab = slab_ + args.first * component;
    for (int m = 0; m < components; ++m) column[m] = components == 3 ? args.grid.axes[std::size_t(m)] : m;
  }

  static constexpr std::int64_t finite = -1;  ///< no index of a cell

  /// Returns `finite`, or the index of the caller's cell that has a number which is not.
  NEARFAR_FUNCTION std::int64_t copy(SlabCells::Row const& row, int z) const {
    auto const c = cells.callers(2, z);
    if (row.image || c.image) return finite;
    std::int64_t const place = row.callers + c.at;
    if (place < begin || place >= end) return finite;
    bool good = true;
    for (int m = 0; m < components; ++m) {
      T const value = slab[m * component + row.own + z];
      out[(place - begin) * components + column[m]] = value;
      good = good && value - value == T(0);
    }
    return good ? finite : place;
  }

  /// A number of the caller's cell that is not finite.
  NEARFAR_FUNCTION T bad_value(std::int64_t place) const {
    T const* const row = out + (place - begin) * components;
    for (int m = 0; m < components; ++m)
      if (!(row[m] - row[m] == T(0))) return row[m];
    return T(0);
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/spectral/transform/gpu_transform.hpp"
#include "core/spectral/layout.hpp"

#include <algorithm>
#include <vector>

// Copies of modes between work space and tiles on GPUs, for .cu files.
namespace nearfar {

inline constexpr char copies_modes[] = "copies modes";

/// Modes of planes in work space: number [plane][y][z] of a section.
template <class T>
struct ModeView {
  GpuComplex<T>* data;
  std::int64_t plane, row;  ///< strides
};

/// The direction in which modes or rows are copied: from the first place to the second, or back.
struct There {
  static constexpr bool brings_zeros = true;
  template <class V>
  NEARFAR_FUNCTION static void copy(V& first, V& second) {
    second = first;
  }
};
struct Back {
  static constexpr bool brings_zeros = false;
  template <class V>
  NEARFAR_FUNCTION static void copy(V& first, V& second) {
    first = second;
  }
};

/// Between some columns of a section and those of a tile.
template <class Way, class T>
struct CopyTile {
  ModeView<T> view;
  GpuComplex<T>* tile;
  int columns, first, width, in_tile;
  int positive, left_out;  ///< modes along y from 0 on, and how many precede those from -1 down

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const c = int(i % columns), p = int(i / columns), column = first + c, row = column / width,
              y = row < positive ? row : row + left_out;
    Way::copy(view.data[p * view.plane + y * view.row + column % width], tile[std::int64_t(p) * in_tile + c]);
  }
};

/// Modes that are zero.
template <class T>
struct ClearModes {
  GpuComplex<T>* modes;
  NEARFAR_FUNCTION void operator()(std::int64_t i) const { modes[i] = {T(0), T(0)}; }
};

/// The tiles of a slab at the beginning of one of its components.
template <class T>
struct SlabTiles {
  SpectralLayout const& l;
  std::vector<GpuComplex<T>*> const& tiles;
  int slab, component;

  std::int64_t planes() const { return l.planes(slab); }
  GpuComplex<T>* tile(int group) const {
    return tiles[std::size_t(group)] + component * planes() * l.columns_in(group);
  }
  /// Copies modes between some planes of a section and the tiles.
  template <class Way>
  void copy(int section, ModeView<T> const& view, std::int64_t first_plane, std::int64_t count, void* stream) const {
    Section const& of = l.section[section];
    int const begin = of.before, end = begin + l.section_columns(section);
    for (int group = 0; group < l.columns; ++group) {
      int const first = std::max(begin, l.first_column(group)), last = std::min(end, l.first_column(group + 1)),
                in_tile = l.columns_in(group);
      if (last <= first) continue;
      CopyTile<Way, T> const body{view,
                                  tile(group) + first_plane * in_tile + first - l.first_column(group),
                                  last - first,
                                  first - begin,
                                  l.section_width(section),
                                  in_tile,
                                  (of.rows + 1) / 2,
                                  l.section_length(section) - of.rows};
      gpu_for_all(count * body.columns, stream, body, copies_modes);
    }
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/spectral/fft/column_team.hpp"
#include "codelets/spectral/fft/copy_modes.hpp"

#include <memory>
#include <type_traits>

// Planes whose y is free, on GPUs: rows, then padded columns. For .cu files.
namespace nearfar {

/// Copies between the rows of a slab and padded ones, on the way there with zeros after them.
template <class Way, class T>
struct CopyRows {
  T *slab, *padded;
  int length;      ///< of padded rows
  int size[2];     ///< of the field: rows, and numbers of each
  int row_length;  ///< of the slab
  std::int64_t plane_size;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const z = int(i % length), y = int(i / length % size[0]);
    if (z < size[1]) Way::copy(slab[i / length / size[0] * plane_size + std::int64_t(y) * row_length + z], padded[i]);
    else if constexpr (Way::brings_zeros) padded[i] = T(0);
  }
};

/// The columns along y of a section, for teams that transform them in shared
/// memory between rows of modes, [plane][y][z], and the tiles of the slab.
template <class Way, class T>
struct PlaneColumns {
  using Number = T;
  static constexpr int in = 1, out = 1;
  static constexpr bool forward = std::is_same_v<Way, There>, inverse = !forward;
  struct Tile {
    GpuComplex<T>* data;
    int first, columns;
  };
  struct Place {
    GpuComplex<T>* modes;
    std::int64_t plane;  ///< of the slab
    int column;          ///< mode 0 of y
  };

  GpuComplex<T>* mode;
  int planes, first_plane;  ///< of those in `mode`
  int modes_z, mode_rows;   ///< of a plane of `mode`
  int first_z, width, before, size, column_count;
  int positive, left_out;  ///< modes along y from 0 on, and how many precede those from -1 down
  LaunchList<Tile> tiles;  ///< of all groups

  NEARFAR_FUNCTION int count() const { return planes * width; }
  NEARFAR_FUNCTION int rows() const { return size; }
  NEARFAR_FUNCTION Place place(int number) const {
    int const p = number / width, z = number % width;
    return {mode + std::int64_t(p) * mode_rows * modes_z + first_z + z, first_plane + p, before + z};
  }
  NEARFAR_FUNCTION bool has(int y) const { return y < positive || y >= positive + left_out; }
  NEARFAR_FUNCTION GpuComplex<T>& in_tile(int y, Place const& place) const {
    int const column = place.column + (y < positive ? y : y - left_out) * width;
    Tile const& tile = tiles[tiles.count == 1 ? 0 : group_of(column)];
    return tile.data[place.plane * tile.columns + column - tile.first];
  }
  NEARFAR_FUNCTION int group_of(int column) const {
    return int((std::uint64_t(column + 1) * std::uint64_t(tiles.count) - 1) / std::uint64_t(column_count));
  }
  NEARFAR_FUNCTION GpuComplex<T> load(int, int y, Place const& place) const {
    if constexpr (forward) return place.modes[std::int64_t(y) * modes_z];
    else return has(y) ? in_tile(y, place) : GpuComplex<T>{T(0), T(0)};
  }
  NEARFAR_FUNCTION void store(int, int y, Place const& place, GpuComplex<T> value) const {
    if constexpr (!forward) place.modes[std::int64_t(y) * modes_z] = value;
    else if (has(y)) in_tile(y, place) = value;
  }
};

/// Copies between rows of modes, [plane][y][z], and columns of a section, [y][plane][z], there with zeros after them.
template <class Way, class T>
struct CopySection {
  GpuComplex<T>*modes, *columns;
  int width, first, size, modes_z, rows;
  std::int64_t planes;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const z = int(i % width), p = int(i / width % planes), y = int(i / width / planes);
    if (y < size) Way::copy(modes[(std::int64_t(p) * rows + y) * modes_z + first + z], columns[i]);
    else if constexpr (Way::brings_zeros) columns[i] = {T(0), T(0)};
  }
};

/// The transforms of one component of a slab whose y is free, on a stream, some planes at a time.
template <class T>
class PaddedSlab {
 public:
  using Complex = GpuComplex<T>;

  PaddedSlab(SlabTiles<T> const& tiles, std::size_t part_bytes, void* stream)
      : tiles_(tiles), l_(tiles.l), stream_(stream), part_bytes_(part_bytes) {}

  void forward(T* real) const {
    for_each_part([&](std::int64_t first, int planes, Complex* modes) {
      rows<There>(real + first * l_.plane_size(), planes, modes);
      for (int s = 0; s < l_.sections; ++s) columns<There>(s, first, planes, modes);
    });
  }
  void inverse(T* real) const {
    for_each_part([&](std::int64_t first, int planes, Complex* modes) {
      if (!l_.has_all_modes())
        gpu_for_all(std::int64_t(planes) * mode_rows() * l_.modes_z(), stream_, ClearModes<T>{modes}, copies_modes);
      for (int s = 0; s < l_.sections; ++s) columns<Back>(s, first, planes, modes);
      rows<Back>(real + first * l_.plane_size(), planes, modes);
    });
  }

 private:
  /// Rows of modes of a plane: all rows of the slab if it is transformed
  /// in place, including those after the last one, which nobody reads.
  int mode_rows() const { return l_.free == 3 ? l_.size[1] : l_.rows; }

  /// Calls visit(first plane, planes, room for their modes by rows).
  template <class Visit>
  void for_each_part(Visit const& visit) const {
    std::int64_t const modes = std::int64_t(mode_rows()) * l_.modes_z();
    int const most = part_of(tiles_.planes(), modes * std::int64_t(sizeof(Complex)), part_bytes_);
    GpuWorkSpace const space(std::size_t(most * modes) * sizeof(Complex), stream_, "modes");
    for (std::int64_t first = 0; first < tiles_.planes(); first += most)
      visit(first, int(std::min<std::int64_t>(most, tiles_.planes() - first)),
            reinterpret_cast<Complex*>(space.data()));
  }

  /// Real rows and their modes; padded ones, if z is free, in a buffer of their own.
  template <class Way>
  void rows(T* real, int planes, Complex* modes) const {
    int const length = l_.row_transform(), distance = l_.free == 3 ? length : l_.row_length,
              count = planes * mode_rows();
    TransformShape const shape{true, 1, {1, length}, {{1, distance}, 1, distance}, {{1, l_.modes_z()}, 1, l_.modes_z()},
                               count};
    auto const transform = [&](T* from) {
      if constexpr (std::is_same_v<Way, There>) gpu_transform<T>(shape, Direction::forward, from, modes, stream_);
      else gpu_transform<T>(shape, Direction::inverse, modes, from, stream_);
    };
    if (l_.free != 3) return transform(real);
    std::int64_t const numbers = std::int64_t(count) * length;
    GpuWorkSpace const space(std::size_t(numbers) * sizeof(T), stream_, "rows");
    T* const padded = reinterpret_cast<T*>(space.data());
    CopyRows<Way, T> const body{real, padded, length, {l_.size[1], l_.size[2]}, l_.row_length, l_.plane_size()};
    if (std::is_same_v<Way, There>) gpu_for_all(numbers, stream_, body, copies_modes);
    transform(padded);
    if (std::is_same_v<Way, Back>) gpu_for_all(numbers, stream_, body, copies_modes);
  }

  /// The columns of a section, to or from the tiles.
  template <class Way>
  void columns(int section, std::int64_t first, int planes, Complex* modes) const {
    if (l_.section_width(section) == 0 || in_shared_memory<Way>(section, first, planes, modes)) return;
    int const length = l_.section_length(section);
    std::int64_t const width = l_.section_width(section), together = planes * width;
    GpuWorkSpace const space(std::size_t(together * length) * sizeof(Complex), stream_, "columns");
    ModeView<T> const view{reinterpret_cast<Complex*>(space.data()), width, together};
    TransformShape::Side const side{{1, length}, int(together), 1};
    TransformShape const shape{false, 1, {1, length}, side, side, int(together)};
    CopySection<Way, T> const body{modes,      view.data,    int(width),  l_.section[section].first_z,
                                   l_.size[1], l_.modes_z(), mode_rows(), planes};
    if constexpr (std::is_same_v<Way, There>) {
      gpu_for_all(together * length, stream_, body, copies_modes);
      gpu_transform<T>(shape, Direction::forward, view.data, view.data, stream_);
      tiles_.template copy<Way>(section, view, first, planes, stream_);
    } else {
      if (l_.section[section].rows < length)
        gpu_for_all(together * length, stream_, ClearModes<T>{view.data}, copies_modes);
      tiles_.template copy<Way>(section, view, first, planes, stream_);
      gpu_transform<T>(shape, Direction::inverse, view.data, view.data, stream_);
      gpu_for_all(together * l_.size[1], stream_, body, copies_modes);
    }
  }

  /// False if there is no such transform for the length, or too many tiles to list.
  template <class Way>
  bool in_shared_memory(int section, std::int64_t first, int planes, Complex* modes) const {
    using Columns = PlaneColumns<Way, T>;
    if (l_.columns > decltype(Columns::tiles)::capacity) return false;
    ColumnPlan<T> const& plan = column_plan<T>(l_.section_length(section));
    if (plan.stages == 0) return false;
    Section const& of = l_.section[section];
    ColumnLaunch<Columns> launch{plan,
                                 0,
                                 {modes,
                                  planes,
                                  int(first),
                                  l_.modes_z(),
                                  mode_rows(),
                                  of.first_z,
                                  l_.section_width(section),
                                  of.before,
                                  l_.size[1],
                                  l_.column_count(),
                                  (of.rows + 1) / 2,
                                  l_.section_length(section) - of.rows,
                                  {}}};
    auto& list = launch.columns.tiles;
    for (; list.count < l_.columns; ++list.count)
      list.item[list.count] = {tiles_.tile(list.count), l_.first_column(list.count), l_.columns_in(list.count)};
    return run_columns(launch, stream_, "transforms columns of planes");
  }

  SlabTiles<T> const& tiles_;
  SpectralLayout const& l_;
  void* stream_;
  std::size_t part_bytes_;
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_for_all.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/spectral/fft/fft_gpu.hpp"
#include "core/spectral/transforms.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>

namespace nearfar {

namespace {

constexpr char copies[] = "copies modes";

/// Modes of planes in work space: number [plane][y][z] of a section.
template <class T>
struct ModeView {
  GpuComplex<T>* data;
  std::int64_t plane, row;  ///< how far apart
};

/// Which way modes or rows are copied: from the first place to the second, or back.
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

/// Between the planes of a slab and padded ones: there, zeros come behind the field along both directions.
template <class Way, class T>
struct CopyPlanes {
  T *slab, *padded;
  int length, rows;  ///< of padded planes
  int size[2];       ///< of the field: rows, and numbers of each
  int row_length;    ///< of the slab
  std::int64_t plane_size;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const z = int(i % length), y = int(i / length % rows);
    if (z < size[1] && y < size[0])
      Way::copy(slab[i / length / rows * plane_size + std::int64_t(y) * row_length + z], padded[i]);
    else if constexpr (Way::brings_zeros) padded[i] = T(0);
  }
};

/// Between rows of modes, [plane][y][z], and the columns of a section, [y][plane][z]: there, zeros come behind them.
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

/// Between some columns of a section and those of a tile.
template <class Way, class T>
struct CopyTile {
  ModeView<T> view;
  GpuComplex<T>* tile;
  int columns, first, width, in_tile;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const c = int(i % columns), p = int(i / columns), column = first + c;
    Way::copy(view.data[p * view.plane + column / width * view.row + column % width],
              tile[std::int64_t(p) * in_tile + c]);
  }
};

/// Rows and columns behind the last, as if the plane repeated itself; then zeros.
template <class T>
struct FillGhosts {
  T* slab;
  int ny, nz, ghosts, row_length;
  std::int64_t plane_size, beside;  ///< numbers behind the rows of a plane

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const of_plane = plane_size - std::int64_t(ny) * nz, at = i % of_plane, below = at - beside;
    int const y = int(below < 0 ? at / (row_length - nz) : ny + below / row_length),
              z = int(below < 0 ? nz + at % (row_length - nz) : below % row_length);
    T* const plane = slab + i / of_plane * plane_size;
    bool const is_ghost = y < ny + ghosts && z < nz + ghosts;
    plane[std::int64_t(y) * row_length + z] = is_ghost ? plane[std::int64_t(y % ny) * row_length + z % nz] : T(0);
  }
};

/// The transforms of one component of a slab, on a stream.
template <class T>
class SlabTransform {
 public:
  using Complex = GpuComplex<T>;

  SlabTransform(PlaneArgs const& args, std::vector<Complex*> const& tiles, std::size_t part_bytes, void* stream)
      : l_(args.layout), planes_(args.layout.planes(args.slab)), tiles_(tiles), part_bytes_(part_bytes),
        stream_(stream) {}

  void forward(T const* slab, int component) {
    T* const real = const_cast<T*>(slab) + component * planes_ * l_.plane_size();  // only read
    if (l_.free == 2) return forward_by_rows(real, component);
    Space const space(one_tile() ? nullptr : work(planes_ * plane_modes()));
    Complex* const modes = one_tile() ? tile(component) : data(space);
    if (l_.free == 3) padded_planes<There>(real, modes);
    else gpu_transform<T>(plane_shape(), Direction::forward, real, modes, stream_);
    if (!one_tile()) copy<There>(0, {modes, plane_modes(), l_.modes_z()}, component);
  }

  void inverse(T* slab, int component) {
    T* const real = slab + component * planes_ * l_.plane_size();
    if (l_.free == 2) {
      inverse_by_rows(real, component);
    } else {
      Space const space(one_tile() ? nullptr : work(planes_ * plane_modes()));
      Complex* const modes = one_tile() ? tile(component) : data(space);
      if (!one_tile()) copy<Back>(0, {modes, plane_modes(), l_.modes_z()}, component);
      if (l_.free == 3) padded_planes<Back>(real, modes);
      else gpu_transform<T>(plane_shape(), Direction::inverse, modes, real, stream_);
    }
    fill_ghosts(real);
  }

 private:
  using Space = std::unique_ptr<GpuWorkSpace>;

  bool one_tile() const { return l_.columns == 1; }
  Complex* tile(int component) const { return tiles_[0] + component * planes_ * l_.columns_in(0); }
  Space work(std::int64_t numbers) const {
    return std::make_unique<GpuWorkSpace>(std::size_t(numbers) * sizeof(Complex), stream_, "modes");
  }
  static Complex* data(Space const& space) { return reinterpret_cast<Complex*>(space->data()); }
  /// Rows of modes in a plane.
  int mode_rows() const { return l_.free == 3 ? l_.padding[0].size[1] : l_.size[1]; }
  std::int64_t plane_modes() const { return std::int64_t(mode_rows()) * l_.modes_z(); }

  TransformShape plane_shape() const {
    return {true,
            2,
            {l_.size[1], l_.size[2]},
            {{l_.rows, l_.row_length}, 1, int(l_.plane_size())},
            {{l_.size[1], l_.modes_z()}, 1, l_.size[1] * l_.modes_z()},
            int(planes_)};
  }
  TransformShape padded_shape(int planes) const {
    int const y = mode_rows(), z = l_.row_transform();
    return {true, 2, {y, z}, {{y, z}, 1, y * z}, {{y, l_.modes_z()}, 1, y * l_.modes_z()}, planes};
  }

  /// Some planes after the other, zeros behind them, so that they stay in the caches of the device from the copy to the
  /// last pass of the transform: that pays for the rows of zeros, which are transformed too.
  template <class Way>
  void padded_planes(T* real, Complex* modes) const {
    std::int64_t const numbers = std::int64_t(mode_rows()) * l_.row_transform();
    int const most = part_of(planes_, plane_modes() * std::int64_t(sizeof(Complex)), part_bytes_);
    auto const space = work(most * numbers / 2 + 1);
    T* const padded = reinterpret_cast<T*>(space->data());
    for (std::int64_t first = 0; first < planes_; first += most) {
      int const planes = int(std::min<std::int64_t>(most, planes_ - first));
      CopyPlanes<Way, T> const body{real + first * l_.plane_size(), padded,        l_.row_transform(), mode_rows(),
                                    {l_.size[1], l_.size[2]},       l_.row_length, l_.plane_size()};
      Complex* const part = modes + first * plane_modes();
      if constexpr (std::is_same_v<Way, There>) {
        gpu_for_all(planes * numbers, stream_, body, copies);
        gpu_transform<T>(padded_shape(planes), Direction::forward, padded, part, stream_);
      } else {
        gpu_transform<T>(padded_shape(planes), Direction::inverse, part, padded, stream_);
        gpu_for_all(planes * numbers, stream_, body, copies);
      }
    }
  }

  /// Rows of all planes, also those behind the last one, whose transforms nobody reads.
  TransformShape row_shape() const {
    return {true,
            1,
            {1, l_.row_transform()},
            {{1, l_.row_length}, 1, l_.row_length},
            {{1, l_.modes_z()}, 1, l_.modes_z()},
            int(planes_) * l_.rows};
  }
  TransformShape column_shape(int section) const {
    int const together = int(planes_) * l_.section_width(section), n = l_.padding[section].size[1];
    TransformShape::Side const side{{1, n}, together, 1};
    return {false, 1, {1, n}, side, side, together};
  }

  void forward_by_rows(T* real, int component) {
    auto const space = work(planes_ * l_.rows * l_.modes_z());
    Complex* const modes = data(space);
    gpu_transform<T>(row_shape(), Direction::forward, real, modes, stream_);
    for_each_section([&](int s, ModeView<T> const& section) {
      copy_section<There>(s, section, modes, l_.padding[s].size[1]);
      gpu_transform<T>(column_shape(s), Direction::forward, section.data, section.data, stream_);
      copy<There>(s, section, component);
    });
  }

  void inverse_by_rows(T* real, int component) {
    auto const space = work(planes_ * l_.rows * l_.modes_z());
    Complex* const modes = data(space);
    for_each_section([&](int s, ModeView<T> const& section) {
      copy<Back>(s, section, component);
      gpu_transform<T>(column_shape(s), Direction::inverse, section.data, section.data, stream_);
      copy_section<Back>(s, section, modes, l_.size[1]);
    });
    gpu_transform<T>(row_shape(), Direction::inverse, modes, real, stream_);
  }

  /// Calls visit(number, [y][plane][z] with zeros behind the field) for each section.
  template <class Visit>
  void for_each_section(Visit const& visit) {
    for (int s = 0; s < l_.sections(); ++s) {
      std::int64_t const width = l_.section_width(s);
      if (width == 0) continue;
      auto const space = work(planes_ * width * l_.padding[s].size[1]);
      visit(s, ModeView<T>{data(space), width, planes_ * width});
    }
  }

  /// So many rows.
  template <class Way>
  void copy_section(int s, ModeView<T> const& section, Complex* modes, int count) const {
    CopySection<Way, T> const body{
        modes, section.data, l_.section_width(s), l_.section_z(s), l_.size[1], l_.modes_z(), l_.rows, planes_};
    gpu_for_all(planes_ * body.width * count, stream_, body, copies);
  }

  /// Between the modes of a section and the tiles.
  template <class Way>
  void copy(int s, ModeView<T> const& view, int component) const {
    int before = 0;
    for (int i = 0; i < s; ++i) before += l_.section_columns(i);
    int const after = before + l_.section_columns(s);
    for (int group = 0; group < l_.columns; ++group) {
      int const first = std::max(before, l_.first_column(group)), last = std::min(after, l_.first_column(group + 1)),
                in_tile = l_.columns_in(group);
      if (last <= first) continue;
      Complex* const tile = tiles_[std::size_t(group)] + component * planes_ * in_tile + first - l_.first_column(group);
      CopyTile<Way, T> const body{view, tile, last - first, first - before, l_.section_width(s), in_tile};
      gpu_for_all(planes_ * body.columns, stream_, body, copies);
    }
  }

  void fill_ghosts(T* real) const {
    int const ny = l_.size[1], nz = l_.size[2];
    FillGhosts<T> const body{
        real, ny, nz, l_.ghosts, l_.row_length, l_.plane_size(), std::int64_t(ny) * (l_.row_length - nz)};
    gpu_for_all(planes_ * (body.plane_size - std::int64_t(ny) * nz), stream_, body, copies);
  }

  SpectralLayout const& l_;
  std::int64_t planes_;
  std::vector<Complex*> const& tiles_;
  std::size_t part_bytes_;
  void* stream_;
};

}  // namespace

template <class T>
void launch_fft(PlaneArgs const& args, T const* slab, std::vector<GpuComplex<T>*> const& tiles, void* stream,
                std::size_t part_bytes) {
  for (int m = 0; m < args.components; ++m) SlabTransform<T>(args, tiles, part_bytes, stream).forward(slab, m);
}

template <class T>
void launch_ifft(PlaneArgs const& args, std::vector<GpuComplex<T>*> const& tiles, T* slab, void* stream,
                 std::size_t part_bytes) {
  for (int m = 0; m < args.components; ++m) SlabTransform<T>(args, tiles, part_bytes, stream).inverse(slab, m);
}

#define NEARFAR_INSTANTIATE(T)                                                                                  \
  template void launch_fft(PlaneArgs const&, T const*, std::vector<GpuComplex<T>*> const&, void*, std::size_t); \
  template void launch_ifft(PlaneArgs const&, std::vector<GpuComplex<T>*> const&, T*, void*, std::size_t);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

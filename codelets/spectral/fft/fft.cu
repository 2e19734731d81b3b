// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/spectral/fft/fft_gpu.hpp"
#include "core/spectral/transforms.hpp"

#include <algorithm>
#include <memory>

namespace nearfar {

namespace {

constexpr int threads = 256;

/// Calls body(i) for i in [0, count).
template <class Body>
__global__ void for_all_kernel(std::int64_t count, Body const body) {
  std::int64_t const i = std::int64_t(blockIdx.x) * threads + threadIdx.x;
  if (i < count) body(i);
}
template <class Body>
void for_all(std::int64_t count, void* stream, Body const& body) {
  if (count == 0) return;
  for_all_kernel<<<unsigned((count + threads - 1) / threads), threads, 0, static_cast<GpuStream>(stream)>>>(count,
                                                                                                            body);
  gpu_expect(gpu_last_status(), "a kernel that copies modes could not be launched");
}

/// Modes of planes in work space: number [plane][y][z] of a section.
template <class T>
struct ModeView {
  GpuComplex<T>* data;
  std::int64_t plane, row;  ///< how far apart
};

/// Which way modes or rows are copied: from the first place to the second, or back.
struct There {
  template <class V>
  static NEARFAR_FUNCTION void copy(V& first, V& second) {
    second = first;
  }
};
struct Back {
  template <class V>
  static NEARFAR_FUNCTION void copy(V& first, V& second) {
    first = second;
  }
};

/// Between the rows of a slab and padded ones: there, zeros come behind them.
template <class Way, class T>
struct CopyRows {
  T *slab, *padded;
  int length, size, rows, row_length;
  std::int64_t plane_size;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const z = int(i % length), y = int(i / length % rows);
    T zero = T(0);
    if (z >= size) return There::copy(zero, padded[i]);
    Way::copy(slab[i / length / rows * plane_size + std::int64_t(y) * row_length + z], padded[i]);
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
    GpuComplex<T> zero{T(0), T(0)};
    if (y >= size) return There::copy(zero, columns[i]);
    Way::copy(modes[(std::int64_t(p) * rows + y) * modes_z + first + z], columns[i]);
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

  SlabTransform(PlaneArgs const& args, std::vector<Complex*> const& tiles, void* stream)
      : l_(args.layout), planes_(args.layout.planes(args.slab)), tiles_(tiles), stream_(stream) {}

  void forward(T const* slab, int component) {
    T* const real = const_cast<T*>(slab) + component * planes_ * l_.plane_size();  // only read
    if (by_rows(l_)) return forward_by_rows(real, component);
    Space const space(one_tile() ? nullptr : work(plane_modes()));
    Complex* const modes = one_tile() ? tile(component) : data(space);
    gpu_transform<T>(plane_shape(), Direction::forward, real, modes, stream_);
    if (!one_tile()) copy<There>(0, {modes, plane_modes() / planes_, l_.modes_z()}, component);
  }

  void inverse(T* slab, int component) {
    T* const real = slab + component * planes_ * l_.plane_size();
    if (by_rows(l_)) {
      inverse_by_rows(real, component);
    } else {
      Space const space(one_tile() ? nullptr : work(plane_modes()));
      Complex* const modes = one_tile() ? tile(component) : data(space);
      if (!one_tile()) copy<Back>(0, {modes, plane_modes() / planes_, l_.modes_z()}, component);
      gpu_transform<T>(plane_shape(), Direction::inverse, modes, real, stream_);
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
  std::int64_t plane_modes() const { return planes_ * l_.size[1] * l_.modes_z(); }

  TransformShape plane_shape() const {
    return {true,
            2,
            {l_.size[1], l_.size[2]},
            {{l_.rows, l_.row_length}, 1, int(l_.plane_size())},
            {{l_.size[1], l_.modes_z()}, 1, l_.size[1] * l_.modes_z()},
            int(planes_)};
  }

  /// Rows of all planes, also those behind the last one, whose transforms nobody reads; padded ones are copied before.
  int rows() const { return l_.free == 3 ? l_.size[1] : l_.rows; }
  int row_room() const { return l_.free == 3 ? l_.row_transform() : l_.row_length; }
  TransformShape row_shape() const {
    return {true,
            1,
            {1, l_.row_transform()},
            {{1, row_room()}, 1, row_room()},
            {{1, l_.modes_z()}, 1, l_.modes_z()},
            int(planes_) * rows()};
  }
  TransformShape column_shape(int section) const {
    int const together = int(planes_) * l_.section_width(section), n = l_.padding[section].size[1];
    TransformShape::Side const side{{1, n}, together, 1};
    return {false, 1, {1, n}, side, side, together};
  }

  void forward_by_rows(T* real, int component) {
    std::int64_t const row_modes = planes_ * rows() * l_.modes_z();
    auto const space = work(row_modes);
    Complex* const modes = data(space);
    if (l_.free == 3) {
      auto const padded = work(planes_ * rows() * row_room() / 2 + 1);
      T* const to = reinterpret_cast<T*>(padded->data());
      copy_rows<There>(real, to);
      gpu_transform<T>(row_shape(), Direction::forward, to, modes, stream_);
    } else {
      gpu_transform<T>(row_shape(), Direction::forward, real, modes, stream_);
    }
    for_each_section([&](int s, ModeView<T> const& section) {
      copy_section<There>(s, section, modes, l_.padding[s].size[1]);
      gpu_transform<T>(column_shape(s), Direction::forward, section.data, section.data, stream_);
      copy<There>(s, section, component);
    });
  }

  void inverse_by_rows(T* real, int component) {
    auto const space = work(planes_ * rows() * l_.modes_z());
    Complex* const modes = data(space);
    for_each_section([&](int s, ModeView<T> const& section) {
      copy<Back>(s, section, component);
      gpu_transform<T>(column_shape(s), Direction::inverse, section.data, section.data, stream_);
      copy_section<Back>(s, section, modes, l_.size[1]);
    });
    if (l_.free == 2) return gpu_transform<T>(row_shape(), Direction::inverse, modes, real, stream_);
    auto const padded = work(planes_ * rows() * row_room() / 2 + 1);
    T* const from = reinterpret_cast<T*>(padded->data());
    gpu_transform<T>(row_shape(), Direction::inverse, modes, from, stream_);
    copy_rows<Back>(real, from);
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

  template <class Way>
  void copy_rows(T* slab, T* padded) const {
    CopyRows<Way, T> const body{slab,       padded,        l_.row_transform(), l_.size[2],
                                l_.size[1], l_.row_length, l_.plane_size()};
    for_all(planes_ * body.rows * body.length, stream_, body);
  }

  /// So many rows.
  template <class Way>
  void copy_section(int s, ModeView<T> const& section, Complex* modes, int count) const {
    CopySection<Way, T> const body{modes,  section.data, l_.section_width(s), l_.section_z(s), l_.size[1], l_.modes_z(),
                                   rows(), planes_};
    for_all(planes_ * body.width * count, stream_, body);
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
      for_all(planes_ * body.columns, stream_, body);
    }
  }

  void fill_ghosts(T* real) const {
    int const ny = l_.size[1], nz = l_.size[2];
    FillGhosts<T> const body{
        real, ny, nz, l_.ghosts, l_.row_length, l_.plane_size(), std::int64_t(ny) * (l_.row_length - nz)};
    for_all(planes_ * (body.plane_size - std::int64_t(ny) * nz), stream_, body);
  }

  SpectralLayout const& l_;
  std::int64_t planes_;
  std::vector<Complex*> const& tiles_;
  void* stream_;
};

}  // namespace

template <class T>
void launch_fft(PlaneArgs const& args, T const* slab, std::vector<GpuComplex<T>*> const& tiles, void* stream) {
  for (int m = 0; m < args.components; ++m) SlabTransform<T>(args, tiles, stream).forward(slab, m);
}

template <class T>
void launch_ifft(PlaneArgs const& args, std::vector<GpuComplex<T>*> const& tiles, T* slab, void* stream) {
  for (int m = 0; m < args.components; ++m) SlabTransform<T>(args, tiles, stream).inverse(slab, m);
}

#define NEARFAR_INSTANTIATE(T)                                                                     \
  template void launch_fft(PlaneArgs const&, T const*, std::vector<GpuComplex<T>*> const&, void*); \
  template void launch_ifft(PlaneArgs const&, std::vector<GpuComplex<T>*> const&, T*, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

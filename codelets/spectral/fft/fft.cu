// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/spectral/fft/copy_modes.hpp"
#include "codelets/spectral/fft/fft_gpu.hpp"
#include "codelets/spectral/fft/padded_slab.hpp"
#include "core/spectral/transforms.hpp"

#include <memory>

namespace nearfar {

namespace {

/// Fills the ghost rows and columns with the periodic continuation of the plane, and what lies beyond them with zeros.
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

  SlabTransform(PlaneArgs const& args, int component, std::vector<Complex*> const& tiles, std::size_t part_bytes,
                void* stream)
      : l_(args.layout), tiles_{l_, tiles, args.slab, component}, planes_(l_.planes(args.slab)),
        part_bytes_(part_bytes), stream_(stream) {}

  void forward(T const* slab) const {
    T* const real = const_cast<T*>(slab) + tiles_.component * planes_ * l_.plane_size();  // only read
    if (by_rows(l_)) return PaddedSlab<T>(tiles_, part_bytes_, stream_).forward(real);
    in_modes([&](Complex* modes) {
      gpu_transform<T>(plane_shape(), Direction::forward, real, modes, stream_);
      copy<There>(modes);
    });
  }

  void inverse(T* slab) const {
    T* const real = slab + tiles_.component * planes_ * l_.plane_size();
    if (by_rows(l_)) PaddedSlab<T>(tiles_, part_bytes_, stream_).inverse(real);
    else
      in_modes([&](Complex* modes) {
        if (!l_.has_all_modes()) gpu_for_all(planes_ * plane_modes(), stream_, ClearModes<T>{modes}, copies_modes);
        copy<Back>(modes);
        gpu_transform<T>(plane_shape(), Direction::inverse, modes, real, stream_);
      });
    fill_ghosts(real);
  }

 private:
  /// Whether the single tile has the layout of the transform's modes, so that nothing is copied.
  bool one_tile() const { return l_.columns == 1 && l_.has_all_modes(); }
  std::int64_t plane_modes() const { return std::int64_t(l_.size[1]) * l_.modes_z(); }

  template <class Way>
  void copy(Complex* modes) const {
    for (int s = 0; s < l_.sections && !one_tile(); ++s)
      tiles_.template copy<Way>(s, {modes + l_.section[s].first_z, plane_modes(), l_.modes_z()}, 0, planes_, stream_);
  }

  /// Calls work with that tile if there is one, otherwise with temporary memory.
  template <class Work>
  void in_modes(Work const& work) const {
    if (one_tile()) return work(tiles_.tile(0));
    GpuWorkSpace const space(std::size_t(planes_ * plane_modes()) * sizeof(Complex), stream_, "modes");
    work(reinterpret_cast<Complex*>(space.data()));
  }

  TransformShape plane_shape() const {
    return {true,
            2,
            {l_.size[1], l_.size[2]},
            {{l_.rows, l_.row_length}, 1, int(l_.plane_size())},
            {{l_.size[1], l_.modes_z()}, 1, l_.size[1] * l_.modes_z()},
            int(planes_)};
  }

  void fill_ghosts(T* real) const {
    int const ny = l_.size[1], nz = l_.size[2];
    FillGhosts<T> const body{
        real, ny, nz, l_.ghosts, l_.row_length, l_.plane_size(), std::int64_t(ny) * (l_.row_length - nz)};
    gpu_for_all(planes_ * (body.plane_size - std::int64_t(ny) * nz), stream_, body, copies_modes);
  }

  SpectralLayout const& l_;
  SlabTiles<T> tiles_;
  std::int64_t planes_;
  std::size_t part_bytes_;
  void* stream_;
};

}  // namespace

template <class T>
void launch_fft(PlaneArgs const& args, T const* slab, std::vector<GpuComplex<T>*> const& tiles, void* stream,
                std::size_t part_bytes) {
  for (int m = 0; m < args.components; ++m) SlabTransform<T>(args, m, tiles, part_bytes, stream).forward(slab);
}

template <class T>
void launch_ifft(PlaneArgs const& args, std::vector<GpuComplex<T>*> const& tiles, T* slab, void* stream,
                 std::size_t part_bytes) {
  for (int m = 0; m < args.components; ++m) SlabTransform<T>(args, m, tiles, part_bytes, stream).inverse(slab);
}

#define NEARFAR_INSTANTIATE(T)                                                                                  \
  template void launch_fft(PlaneArgs const&, T const*, std::vector<GpuComplex<T>*> const&, void*, std::size_t); \
  template void launch_ifft(PlaneArgs const&, std::vector<GpuComplex<T>*> const&, T*, void*, std::size_t);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

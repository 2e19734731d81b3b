// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/spectral/scale/column_lists.hpp"
#include "codelets/spectral/scale/scale_gpu.hpp"
#include "core/ewald/far_operator.hpp"
#include "core/spectral/mode_table.hpp"

#include <algorithm>

namespace nearfar {

namespace {

constexpr int threads = 128, modes_of_thread = 4;

/// Modes of columns of one padding, [component][x][column].
template <class T>
struct ColumnView {
  GpuComplex<T>* data;
  std::int64_t component, row;
  PaddedColumns columns;
  int length;  ///< of the transforms
};

/// A thread for some modes of a column, and those with the opposite k_x, which share the multiplier.
template <class Operator, class T>
__global__ void __launch_bounds__(threads)
    apply_kernel(ScaleArgs<Operator> const args, T const* multipliers, ColumnView<T> const view) {
  constexpr int in = Operator::in, out = Operator::out, most = in > out ? in : out;
  int const i = int(blockIdx.x) * threads + int(threadIdx.x), n = view.length;
  if (i >= view.columns.count) return;
  SpectralLayout const& l = args.layout;
  ModeColumn const column = l.column(l.first_column(args.group) + view.columns.at(i));
  T const* const multiplier = ModeTable<T const>(l, multipliers).row(column);
  int const ny = l.transform(1, column.padding), nz = l.row_transform();
  Mode<T> mode{};
  mode.k[1] = T(l.mode_unit(1, ny) * signed_mode(column.y, ny));
  mode.k[2] = T(l.mode_unit(2, nz) * column.z);
  mode.slope[1] = 2 * column.y == ny ? T(0) : mode.k[1];
  mode.slope[2] = 2 * column.z == nz ? T(0) : mode.k[2];
  T const yz = mode.k[1] * mode.k[1] + mode.k[2] * mode.k[2];
  double const unit = l.mode_unit(0, n);
  int const first = int(blockIdx.y) * modes_of_thread, last = first + modes_of_thread;
  for (int x = first; x < last && 2 * x <= n; ++x) {
    T const factor = multiplier[x];
    for (int side = 0; side < (x == 0 || 2 * x == n ? 1 : 2); ++side) {
      mode.k[0] = T(unit * (side == 0 ? x : -x));
      mode.slope[0] = 2 * x == n ? T(0) : mode.k[0];
      mode.squared = mode.k[0] * mode.k[0] + yz;
      GpuComplex<T>* const at = view.data + (side == 0 ? x : n - x) * view.row + i;
      T re[most], im[most];
      for (int m = 0; m < in; ++m) {
        GpuComplex<T> const value = at[m * view.component];
        re[m] = value.re;
        im[m] = value.im;
      }
      args.apply.apply(factor, mode, re, im);
      for (int m = 0; m < out; ++m) at[m * view.component] = {re[m], im[m]};
    }
  }
}

/// Between the planes of a tile and columns of one padding; into them, zeros come behind the field.
template <class T>
struct TilePlanes {
  GpuComplex<T>* tile;
  std::int64_t width;
  int first, planes, size;  ///< of the tile; of the field
};
template <bool IntoColumns, class T>
__global__ void __launch_bounds__(threads) copy_kernel(TilePlanes<T> const t, ColumnView<T> const view) {
  int const i = int(blockIdx.x) * threads + int(threadIdx.x), m = int(blockIdx.z);
  if (i >= view.columns.count) return;
  auto const in_columns = [&](int x) -> GpuComplex<T>& {
    return view.data[m * view.component + std::int64_t(x) * view.row + i];
  };
  int const column = view.columns.at(i);
  for (int p = int(blockIdx.y); p < t.planes; p += int(gridDim.y)) {
    GpuComplex<T>& in_tile = t.tile[(std::int64_t(m) * t.planes + p) * t.width + column];
    if constexpr (IntoColumns) in_columns(t.first + p) = in_tile;
    else in_tile = in_columns(t.first + p);
  }
  if constexpr (!IntoColumns) return;
  if (t.first + t.planes < t.size) return;
  for (int x = t.size + int(blockIdx.y); x < view.length; x += int(gridDim.y)) in_columns(x) = {T(0), T(0)};
}

template <class Operator, class T>
class GroupTransform {
 public:
  static constexpr int in = Operator::in, out = Operator::out;

  GroupTransform(ScaleArgs<Operator> const& args, T const* multipliers, std::vector<GpuComplex<T>*> const& tiles,
                 void* stream)
      : args_(args), l_(args.layout), multipliers_(multipliers), tiles_(tiles), stream_(stream) {}

  /// Columns that are padded, or lie in several tiles, are copied and transformed in parts that stay in the caches of
  /// the device; so there is never room needed for all of them.
  void run(int padding, std::size_t part_bytes) {
    PaddedColumns const all = padded_columns(l_, args_.group, padding);
    if (all.count == 0) return;
    int const n = l_.padding[padding].size[0], width = l_.columns_in(args_.group);
    if (l_.slabs == 1 && n == l_.size[0] && all.list == nullptr)
      return transform({tiles_[0] + all.first, std::int64_t(n) * width, width, all, n});
    int const most = part_of(all.count, std::int64_t(n) * total * std::int64_t(sizeof(GpuComplex<T>)), part_bytes);
    GpuWorkSpace const space(std::size_t(n) * std::size_t(most) * total * sizeof(GpuComplex<T>), stream_, "columns");
    for (int first = 0; first < all.count; first += most) {
      PaddedColumns const part = all.part(first, std::min(most, all.count - first));
      ColumnView<T> const view{reinterpret_cast<GpuComplex<T>*>(space.data()), std::int64_t(n) * part.count, part.count,
                               part, n};
      copy<true>(view, in);
      transform(view);
      copy<false>(view, out);
    }
  }

 private:
  static constexpr int total = in > out ? in : out;

  void transform(ColumnView<T> const& view) const {
    int const n = view.length, half = n / 2 + 1;
    TransformShape::Side const side{{1, n}, int(view.row), 1};
    TransformShape const shape{false, 1, {1, n}, side, side, view.columns.count};
    auto const component = [&](int m) { return view.data + m * view.component; };
    for (int m = 0; m < in; ++m) gpu_transform<T>(shape, Direction::forward, component(m), component(m), stream_);
    dim3 const blocks(blocks_for(view.columns.count), unsigned((half + modes_of_thread - 1) / modes_of_thread));
    apply_kernel<Operator, T><<<blocks, threads, 0, static_cast<GpuStream>(stream_)>>>(args_, multipliers_, view);
    gpu_expect(gpu_last_status(), "the kernel that scales modes could not be launched");
    for (int m = 0; m < out; ++m) gpu_transform<T>(shape, Direction::inverse, component(m), component(m), stream_);
  }

  static unsigned blocks_for(int columns) { return unsigned((columns + threads - 1) / threads); }

  template <bool IntoColumns>
  void copy(ColumnView<T> const& view, int components) const {
    for (int slab = 0; slab < l_.slabs; ++slab) {
      TilePlanes<T> const planes{tiles_[std::size_t(slab)], l_.columns_in(args_.group), l_.first_plane(slab),
                                 l_.planes(slab), l_.size[0]};
      dim3 const blocks(blocks_for(view.columns.count), 64, unsigned(components));
      copy_kernel<IntoColumns><<<blocks, threads, 0, static_cast<GpuStream>(stream_)>>>(planes, view);
    }
    gpu_expect(gpu_last_status(), "the kernel that copies columns could not be launched");
  }

  ScaleArgs<Operator> const& args_;
  SpectralLayout const& l_;
  T const* multipliers_;
  std::vector<GpuComplex<T>*> const& tiles_;
  void* stream_;
};

}  // namespace

template <class Operator, class T>
void launch_scale(ScaleArgs<Operator> const& args, T const* multipliers, std::vector<GpuComplex<T>*> const& tiles,
                  void* stream, std::size_t part_bytes) {
  GroupTransform<Operator, T> transform(args, multipliers, tiles, stream);
  for (int p = 0; p < args.layout.paddings; ++p) transform.run(p, part_bytes);
}

#define NEARFAR_INSTANTIATE_OPERATOR(Name, T) \
  template void launch_scale(ScaleArgs<Name> const&, T const*, std::vector<GpuComplex<T>*> const&, void*, std::size_t);
#define NEARFAR_INSTANTIATE(T)                                                              \
  template void launch_scale(ScaleArgs<FarOperator<T, Kernel::stokeslet>> const&, T const*, \
                             std::vector<GpuComplex<T>*> const&, void*, std::size_t);       \
  template void launch_scale(ScaleArgs<FarOperator<T, Kernel::stokes>> const&, T const*,    \
                             std::vector<GpuComplex<T>*> const&, void*, std::size_t);       \
  template void launch_scale(ScaleArgs<FarOperator<T, Kernel::laplace>> const&, T const*,   \
                             std::vector<GpuComplex<T>*> const&, void*, std::size_t);       \
  NEARFAR_INSTANTIATE_OPERATOR(PotentialOperator<T>, T)                                     \
  NEARFAR_INSTANTIATE_OPERATOR(FieldOperator<T>, T)                                         \
  NEARFAR_INSTANTIATE_OPERATOR(PotentialAndFieldOperator<T>, T)
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_for_all.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/spectral/scale/column_lists.hpp"
#include "codelets/spectral/scale/operators.hpp"
#include "codelets/spectral/scale/scale_gpu.hpp"
#include "core/spectral/mode_table.hpp"

#include <algorithm>

namespace nearfar {

namespace {

constexpr int modes_of_thread = 4;

/// Modes of columns of one padding, [component][x][column].
template <class T>
struct ColumnView {
  GpuComplex<T>* data;
  std::int64_t component, row;
  PaddedColumns columns;
  int length;  ///< of the transforms

  int parts() const { return length / 2 / modes_of_thread + 1; }  ///< of a column, each for one thread
};

/// Some modes of a column, and those with the opposite k_x, which share the multiplier. Threads side by side have
/// columns side by side.
template <class Operator, class T>
struct ApplyToModes {
  ScaleArgs<Operator> args;
  T const* multipliers;
  ColumnView<T> view;

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    int const i = int(number % view.columns.count), n = view.length;
    SpectralLayout const& l = args.layout;
    ModeColumn const column = l.column(l.first_column(args.group) + view.columns.at(i));
    T const* const multiplier = ModeTable<T const>(l, multipliers, Operator::numbers).row(column);
    int const ny = l.transform(1, column.padding), nz = l.row_transform();
    Mode<T> mode{};
    mode.k[1] = T(l.mode_unit(1, ny) * signed_mode(column.y, ny));
    mode.k[2] = T(l.mode_unit(2, nz) * column.z);
    mode.slope[1] = 2 * column.y == ny ? T(0) : mode.k[1];
    mode.slope[2] = 2 * column.z == nz ? T(0) : mode.k[2];
    T const yz = mode.k[1] * mode.k[1] + mode.k[2] * mode.k[2];
    int const first = int(number / view.columns.count) * modes_of_thread, last = first + modes_of_thread;
    for (int x = first; x < last && 2 * x <= n; ++x)
      for (int side = 0; side < (x == 0 || 2 * x == n ? 1 : 2); ++side) {
        mode.k[0] = T(l.mode_unit(0, n) * (side == 0 ? x : -x));
        mode.slope[0] = 2 * x == n ? T(0) : mode.k[0];
        mode.squared = mode.k[0] * mode.k[0] + yz;
        apply(multiplier + Operator::numbers * x, mode, view.data + (side == 0 ? x : n - x) * view.row + i);
      }
  }

  NEARFAR_FUNCTION void apply(T const* multiplier, Mode<T> const& mode, GpuComplex<T>* at) const {
    constexpr int in = Operator::in, out = Operator::out, most = in > out ? in : out;
    T re[most], im[most];
    for (int m = 0; m < in; ++m) {
      GpuComplex<T> const value = at[m * view.component];
      re[m] = value.re;
      im[m] = value.im;
    }
    args.apply.apply(multiplier, mode, re, im);
    for (int m = 0; m < out; ++m) at[m * view.component] = {re[m], im[m]};
  }
};

/// A mode between the planes of a tile and columns of one padding; into them, the last tile brings the zeros that come
/// behind the field.
template <bool IntoColumns, class T>
struct CopyColumns {
  ColumnView<T> view;
  GpuComplex<T>* tile;
  std::int64_t width;
  int first, planes, rows;  ///< of the tile; rows to write

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    int const i = int(number % view.columns.count);
    std::int64_t const row = number / view.columns.count, m = row / rows, p = row % rows;
    GpuComplex<T>& column = view.data[m * view.component + (first + p) * view.row + i];
    if (p >= planes) column = {T(0), T(0)};
    else if (auto& mode = tile[(m * planes + p) * width + view.columns.at(i)]; IntoColumns) column = mode;
    else mode = column;
  }
};

template <class Operator, class T>
class GroupTransform {
 public:
  static constexpr int in = Operator::in, out = Operator::out;

  GroupTransform(ScaleArgs<Operator> const& args, T const* multipliers, std::vector<GpuComplex<T>*> const& tiles,
                 void* stream)
      : args_(args), l_(args.layout), multipliers_(multipliers), tiles_(tiles), stream_(stream) {}

  /// Columns that are padded, or lie in several tiles, are copied and transformed in parts, so that there is never room
  /// needed for all of them.
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
    int const n = view.length;
    TransformShape::Side const side{{1, n}, int(view.row), 1};
    TransformShape const shape{false, 1, {1, n}, side, side, view.columns.count};
    auto const component = [&](int m) { return view.data + m * view.component; };
    for (int m = 0; m < in; ++m) gpu_transform<T>(shape, Direction::forward, component(m), component(m), stream_);
    gpu_for_all(std::int64_t(view.columns.count) * view.parts(), stream_,
                ApplyToModes<Operator, T>{args_, multipliers_, view}, "scales modes");
    for (int m = 0; m < out; ++m) gpu_transform<T>(shape, Direction::inverse, component(m), component(m), stream_);
  }

  template <bool IntoColumns>
  void copy(ColumnView<T> const& view, int components) const {
    for (int slab = 0; slab < l_.slabs; ++slab) {
      int const first = l_.first_plane(slab), planes = l_.planes(slab);
      bool const brings_zeros = IntoColumns && slab + 1 == l_.slabs;
      CopyColumns<IntoColumns, T> const body{view,
                                             tiles_[std::size_t(slab)],
                                             l_.columns_in(args_.group),
                                             first,
                                             planes,
                                             brings_zeros ? view.length - first : planes};
      gpu_for_all(std::int64_t(view.columns.count) * body.rows * components, stream_, body, "copies columns");
    }
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

#define NEARFAR_INSTANTIATE(T, ...)                                                                              \
  template void launch_scale(ScaleArgs<__VA_ARGS__> const&, T const*, std::vector<GpuComplex<T>*> const&, void*, \
                             std::size_t);
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, double)
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/spectral/fft/column_team.hpp"
#include "codelets/spectral/scale/column_lists.hpp"
#include "codelets/spectral/scale/operators.hpp"
#include "codelets/spectral/scale/scale_gpu.hpp"
#include "core/spectral/column_modes.hpp"
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

  NEARFAR_FUNCTION int parts() const { return length / 2 / modes_of_thread + 1; }  ///< of a column, each for one thread
};

/// A column to whose modes an operator is applied.
template <class Operator, class T>
struct ModesOfColumn {
  static constexpr int in = Operator::in, out = Operator::out, most = in > out ? in : out;
  ColumnModes<T> modes;
  T const* multipliers;  ///< of its modes

  NEARFAR_FUNCTION ModesOfColumn(SpectralLayout const& l, T const* table, int number, int n)
      : ModesOfColumn(l, table, l.column(number), n) {}
  NEARFAR_FUNCTION ModesOfColumn(SpectralLayout const& l, T const* table, ModeColumn const& column, int n)
      : modes(l, column, n), multipliers(ModeTable<T const>(l, table, Operator::numbers).row(column)) {}

  /// Applies the operator to mode x, which may be negative.
  NEARFAR_FUNCTION void apply(Operator const& op, int x, T* re, T* im) { op.apply(numbers(x), modes.at(x), re, im); }
  /// Adds what it sums.
  NEARFAR_FUNCTION void add(Operator const& op, int x, T const* re, T const* im, double* sums) {
    op.add(numbers(x), modes.at(x), re, im, sums);
  }

 private:
  /// The numbers of mode x in the table.
  NEARFAR_FUNCTION T const* numbers(int x) const { return multipliers + Operator::numbers * modes.place(x); }
};

/// Some modes of a column and those with the opposite k_x. Neighbouring threads take
/// neighbouring columns.
template <class Operator, class T>
struct SomeModes {
  using Modes = ModesOfColumn<Operator, T>;
  ScaleArgs<Operator> args;
  T const* multipliers;
  ColumnView<T> view;

  NEARFAR_FUNCTION std::int64_t count() const { return std::int64_t(view.columns.count) * view.parts(); }

  /// Calls visit(modes of the column, x, re, im, where the mode is) for each of them.
  template <class Visit>
  NEARFAR_FUNCTION void visit(std::int64_t number, Visit const& visit) const {
    int const i = int(number % view.columns.count), n = view.length;
    SpectralLayout const& l = args.layout;
    Modes modes(l, multipliers, l.first_column(args.group) + view.columns.at(i), n);
    int const first = int(number / view.columns.count) * modes_of_thread, last = first + modes_of_thread;
    for (int x = first; x < last && 2 * x <= n; ++x)
      for (int side = 0; side < (x == 0 || 2 * x == n ? 1 : 2); ++side) {
        GpuComplex<T>* const at = view.data + (side == 0 ? x : n - x) * view.row + i;
        T re[Modes::most], im[Modes::most];
        for (int m = 0; m < Modes::in; ++m) {
          GpuComplex<T> const value = at[m * view.component];
          re[m] = value.re;
          im[m] = value.im;
        }
        visit(modes, side == 0 ? x : -x, re, im, at);
      }
  }
};

/// Applies the operator to modes. What it sums over them before is added to the sums of the parts so far, one part of
/// the modes for each team, of which there are at most `teams`.
template <class Operator, class T>
struct ModesTeam {
  static constexpr int sums = sums_of<Operator>(), threads = 256, resident = 2, teams = 512;
  static constexpr std::size_t bytes = sizeof(double) * sums * threads;
  using State = NoState;
  struct Launch {
    SomeModes<Operator, T> some;
    double* part;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int part, double* memory) {
    using Modes = typename SomeModes<Operator, T>::Modes;
    team.step([&](int t, NoState&) {
      auto const& some = launch.some;
      double sum[sums > 0 ? sums : 1] = {};
      for (std::int64_t i = std::int64_t(part) * threads + t; i < some.count(); i += teams * threads)
        some.visit(i, [&](Modes& modes, int x, T* re, T* im, GpuComplex<T>* at) {
          if constexpr (sums > 0) modes.add(some.args.apply, x, re, im, sum);
          modes.apply(some.args.apply, x, re, im);
          for (int m = 0; m < Modes::out; ++m) at[m * some.view.component] = {re[m], im[m]};
        });
      for (int m = 0; m < sums; ++m) memory[m * threads + t] = sum[m];
    });
    if constexpr (sums > 0) {
      add_up_threads<threads, sums>(team, memory);
      team.step([&](int t, NoState&) {
        if (t < sums) launch.part[part * sums + t] += memory[t * threads];
      });
    }
  }
};

/// The last step: adds the parts.
template <class Operator, class T>
struct ModeSumGatherTeam {
  static constexpr int numbers = sums_of<Operator>(), threads = ModesTeam<Operator, T>::teams,
                       memory_size = numbers * threads;
  using State = NoState;
  struct Launch {
    double const* part;
    double* out;
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int, double* memory) {
    team.step([&](int t, NoState&) {
      for (int m = 0; m < numbers; ++m) memory[m * threads + t] = launch.part[t * numbers + m];
    });
    add_up_threads<threads, numbers>(team, memory);
    team.step([&](int t, NoState&) {
      if (t < numbers) launch.out[t] = memory[t * threads];
    });
  }
};

struct SetToZero {
  double* numbers;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { numbers[i] = 0; }
};

/// Columns of one padding in the tiles of all slabs, for teams that transform and scale them in shared memory.
template <class Operator, class T>
struct GroupColumns {
  using Number = T;
  static constexpr int in = Operator::in, out = Operator::out;
  static constexpr bool forward = true, inverse = true;
  using Place = int;  ///< number in the group
  struct Tile {
    GpuComplex<T>* data;
    int first, planes;
  };
  ScaleArgs<Operator> args;
  T const* multipliers;
  PaddedColumns columns;
  int length;        ///< of the transforms
  int first, width;  ///< of the group's columns, and their number
  LaunchList<Tile> tiles;

  NEARFAR_FUNCTION int count() const { return columns.count; }
  NEARFAR_FUNCTION int rows() const { return args.layout.size[0]; }
  NEARFAR_FUNCTION int place(int column) const { return columns.at(column); }
  NEARFAR_FUNCTION GpuComplex<T>& at(int component, int row, int place) const {
    Tile const& tile = tiles[tiles.count == 1 ? 0 : args.layout.slab_of(row)];
    return tile.data[(std::int64_t(component) * tile.planes + row - tile.first) * width + place];
  }
  NEARFAR_FUNCTION GpuComplex<T> load(int component, int row, int place) const { return at(component, row, place); }
  NEARFAR_FUNCTION void store(int component, int row, int place, GpuComplex<T> value) const {
    at(component, row, place) = value;
  }
  NEARFAR_FUNCTION ModesOfColumn<Operator, T> modes(int column) const {
    return {args.layout, multipliers, first + columns.at(column), length};
  }
  NEARFAR_FUNCTION void apply(ModesOfColumn<Operator, T>& modes, int x, T* re, T* im) const {
    modes.apply(args.apply, x, re, im);
  }
};

/// Copies a mode between the planes of a tile and columns of one padding. On the way into the columns, the last tile
/// also brings the zeros that follow the field.
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

/// Whether one kernel transforms columns, scales them and transforms them back. It takes seconds to compile for every
/// operator, so rare ones have none, nor have those that sum.
template <class Operator>
constexpr bool is_fused = [] {
  if constexpr (requires { Operator::is_rare; }) return sums_of<Operator>() == 0 && !Operator::is_rare;
  else return sums_of<Operator>() == 0;
}();

template <class Operator, class T>
class GroupTransform {
 public:
  static constexpr int in = Operator::in, out = Operator::out;

  GroupTransform(ScaleArgs<Operator> const& args, T const* multipliers, std::vector<GpuComplex<T>*> const& tiles,
                 void* stream)
      : args_(args), l_(args.layout), multipliers_(multipliers), tiles_(tiles), stream_(stream) {}

  /// `sums`: of the parts, for operators that sum something.
  void run(std::size_t part_bytes, double* sums) const {
    for (int p = 0; p < l_.paddings; ++p) run(p, part_bytes, sums);
  }

 private:
  static constexpr int total = in > out ? in : out;

  /// Columns that are padded or lie in several tiles are copied and transformed part by part, so that the memory for
  /// all of them is never needed at once.
  void run(int padding, std::size_t part_bytes, double* sums) const {
    PaddedColumns const all = padded_columns(l_, args_.group, padding);
    if (all.count == 0) return;
    int const n = l_.padding[padding].size[0], width = l_.columns_in(args_.group);
    if constexpr (is_fused<Operator>)
      if (in_shared_memory(all, n)) return;
    if (l_.slabs == 1 && n == l_.size[0] && all.list == nullptr)
      return transform({tiles_[0] + all.first, std::int64_t(n) * width, width, all, n}, sums);
    int const most = part_of(all.count, std::int64_t(n) * total * std::int64_t(sizeof(GpuComplex<T>)), part_bytes);
    GpuWorkSpace const space(std::size_t(n) * std::size_t(most) * total * sizeof(GpuComplex<T>), stream_, "columns");
    for (int first = 0; first < all.count; first += most) {
      PaddedColumns const part = all.part(first, std::min(most, all.count - first));
      ColumnView<T> const view{reinterpret_cast<GpuComplex<T>*>(space.data()), std::int64_t(n) * part.count, part.count,
                               part, n};
      copy<true>(view, in);
      transform(view, sums);
      copy<false>(view, out);
    }
  }

  /// False where the length has no such transform, or there are more tiles than the launch can list.
  bool in_shared_memory(PaddedColumns const& columns, int n) const {
    using Columns = GroupColumns<Operator, T>;
    if (l_.slabs > decltype(Columns::tiles)::capacity) return false;
    ColumnPlan<T> const& plan = column_plan<T>(n);
    if (plan.stages == 0) return false;
    ColumnLaunch<Columns> launch{
        plan, 0, {args_, multipliers_, columns, n, l_.first_column(args_.group), l_.columns_in(args_.group), {}}};
    auto& list = launch.columns.tiles;
    for (; list.count < l_.slabs; ++list.count)
      list.item[list.count] = {tiles_[std::size_t(list.count)], l_.first_plane(list.count), l_.planes(list.count)};
    return run_columns(launch, stream_, "transforms columns");
  }

  void transform(ColumnView<T> const& view, double* sums) const {
    int const n = view.length;
    TransformShape::Side const side{{1, n}, int(view.row), 1};
    TransformShape const shape{false, 1, {1, n}, side, side, view.columns.count};
    auto const component = [&](int m) { return view.data + m * view.component; };
    for (int m = 0; m < in; ++m) gpu_transform<T>(shape, Direction::forward, component(m), component(m), stream_);
    using Program = ModesTeam<Operator, T>;
    typename Program::Launch const launch{{args_, multipliers_, view}, sums};
    std::int64_t const parts = (launch.some.count() + Program::threads - 1) / Program::threads;
    gpu_run_teams<Program, double>(int(std::min<std::int64_t>(Program::teams, parts)), Program::bytes, stream_, launch,
                                   "scales modes");
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
                  void* stream, std::size_t part_bytes, [[maybe_unused]] double* sums) {
  GroupTransform<Operator, T> const transform(args, multipliers, tiles, stream);
  if constexpr (sums_of<Operator>() == 0) return transform.run(part_bytes, nullptr);
  else {
    using Gather = ModeSumGatherTeam<Operator, T>;
    constexpr int numbers = Gather::threads * Gather::numbers;
    GpuWorkSpace const space(sizeof(double) * numbers, stream, "sums over modes");
    auto* const parts = reinterpret_cast<double*>(space.data());
    gpu_for_all(numbers, stream, SetToZero{parts}, "clears sums over modes");
    transform.run(part_bytes, parts);
    gpu_run_teams<Gather, double>(1, stream, typename Gather::Launch{parts, sums}, "adds sums over modes");
  }
}

#define NEARFAR_INSTANTIATE(T, ...)                                                                              \
  template void launch_scale(ScaleArgs<__VA_ARGS__> const&, T const*, std::vector<GpuComplex<T>*> const&, void*, \
                             std::size_t, double*);
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, double)
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar

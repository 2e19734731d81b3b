// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/fft.hpp"
#include "codelets/spectral/scale/scale.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/nodes/messages/recording.hpp"
#include "tasks/nodes/owners.hpp"
#include "tasks/spectral/costs.hpp"
#include "tasks/spectral/plan_alike.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace nearfar::detail {

/// A tile for each slab and group of columns: the data of one solve in flight between its planes and its columns.
struct Tiles {
  std::vector<Data> data;  ///< [slab][group]; empty if neither belongs to this rank
  int slabs = 0, groups = 0;

  Handle at(int slab, int group) const { return data[std::size_t(slab * groups + group)]; }
  std::vector<Handle> of_slab(int slab) const {
    std::vector<Handle> handles;
    for (int group = 0; group < groups; ++group) handles.push_back(at(slab, group));
    return handles;
  }
  std::vector<Handle> of_group(int group) const {
    std::vector<Handle> handles;
    for (int slab = 0; slab < slabs; ++slab) handles.push_back(at(slab, group));
    return handles;
  }
};

/// Columns of a group that its tiles have room for. In skewed cells a little more than there are, so that tiles of a
/// cell that is sheared keep their size over many steps.
inline int tile_columns(SpectralLayout const& layout, int group) {
  int const columns = layout.columns_in(group);
  int step = 1;
  while (layout.skewed && 16 * step < columns) step *= 2;
  return (columns + step - 1) / step * step;
}

/// The real transform of fields of one layout and back, in tasks: fft (planes of a slab) -> scale (a group of
/// columns, there and back) -> ifft. Holds the scratch that all solves share; one per plan. The constructor
/// makes the plans of the transforms, which may take a while. Slabs are assigned to owners in runs, and so are
/// groups of columns with their tiles, which travel between a slab's owner and a group's: that is the transpose.
template <class T>
class SpectralTransform {
 public:
  /// `components`: the larger of the numbers that go in and come out. `gpus`: of one process,
  /// among which the work is divided; with several ranks, it is divided among these. Shares the scratch of `like`, if
  /// that is of the same size.
  SpectralTransform(SpectralLayout const& layout, int components, Ranks const& ranks = Ranks::one(), int gpus = 1,
                    Content content = Content::whole, SpectralTransform const* like = nullptr)
      : layout_(layout), components_(components), owners_{ranks.several() ? ranks.count() : std::max(1, gpus)},
        rank_(ranks.several() ? ranks.rank() : everywhere) {
    std::int64_t const plane = PlaneScratch(layout).size, column = components * column_scratch(layout);
    if (like != nullptr && like->scratch_->plane_size == plane && like->scratch_->column_size == column)
      scratch_ = like->scratch_;
    else scratch_ = std::make_shared<Scratch const>(plane, column);
    if (content == Content::whole) plan_alike<T>(ranks, [&] { prepare_plans<T>(layout); });
  }

  SpectralLayout const& layout() const { return layout_; }
  Owners const& owners() const { return owners_; }
  /// To be called before slabs or tiles are made: this rank gets the first run of them.
  void turn_owners(int first) { owners_.turn = first; }

  /// The region that the grid covers from the next solve on; the transforms stay the same.
  void set_edges(std::array<double, 3> const& edge) { std::copy(edge.begin(), edge.end(), layout_.edge); }

  /// Whether slabs and tiles are of the same sizes as those of another one, in the same places.
  bool has_room_of(SpectralTransform const& other) const {
    SpectralLayout const &a = layout_, &b = other.layout_;
    if (components_ != other.components_ || owners_.count != other.owners_.count ||
        owners_.turn != other.owners_.turn || a.slabs != b.slabs || a.columns != b.columns || a.size[0] != b.size[0] ||
        a.plane_size() != b.plane_size())
      return false;
    for (int g = 0; g < a.columns; ++g)
      if (tile_columns(a, g) != tile_columns(b, g)) return false;
    return true;
  }

  /// For one solve in flight at a time.
  Tiles make_tiles() const {
    Tiles tiles{{}, layout_.slabs, layout_.columns};
    for (int s = 0; s < layout_.slabs; ++s)
      for (int g = 0; g < layout_.columns; ++g)
        tiles.data.push_back(Data::temporary<std::complex<T>>(
            "tile", std::int64_t(components_) * layout_.planes(s) * tile_columns(layout_, g),
            owners_.of(g, layout_.columns),
            rank_ == everywhere || rank_ == owners_.of(s, layout_.slabs) || rank_ == owners_.of(g, layout_.columns)));
    return tiles;
  }

  /// A slab of a field with so many components.
  Data make_slab(int slab, int components) const {
    return Data::temporary<T>("slab", std::int64_t(components) * layout_.planes(slab) * layout_.plane_size(),
                              owners_.of(slab, layout_.slabs));
  }

  /// Inserts the tasks. `multipliers`: a ModeTable of the layout. `in` and `out`: the slabs of the field
  /// and of the result, with at least Operator::in and Operator::out components; they may be the same.
  /// `leave`: slabs of the result that other owners read, empty for none. `sums`: for each group of columns, what the
  /// operator sums over its modes; empty for operators that sum nothing.
  template <class Operator>
  void insert(Graph& graph, Operator const& apply, Handle multipliers, std::vector<Handle> const& in,
              Tiles const& tiles, std::vector<Handle> const& out, std::vector<bool> const& leave = {},
              std::vector<Handle> const& sums = {}) const {
    static_assert(std::is_same_v<typename Operator::Number, T>);
    constexpr int columns = Operator::in + Operator::out;
    for (int s = 0; s < layout_.slabs; ++s)
      graph.insert<Fft<T>>({layout_, s, Operator::in},
                           {s, plane_flops(layout_, s, Operator::in), owners_.of(s, layout_.slabs)},
                           read(in[std::size_t(s)]), scratch(scratch_->plane), write(tiles.of_slab(s)));
    for (int c = 0; c < layout_.columns; ++c)
      graph.insert<Scale<Operator>>({layout_, c, apply},
                                    {c, column_flops(layout_, c, columns), owners_.of(c, layout_.columns)},
                                    read(multipliers), scratch(scratch_->column), read_write(tiles.of_group(c)),
                                    write(sums.empty() ? std::vector<Handle>() : std::vector{sums[std::size_t(c)]}));
    for (int s = 0; s < layout_.slabs; ++s)
      graph.insert<Ifft<T>>(
          {layout_, s, Operator::out},
          {s, plane_flops(layout_, s, Operator::out), everywhere, !leave.empty() && leave[std::size_t(s)]},
          read(tiles.of_slab(s)), scratch(scratch_->plane), write(out[std::size_t(s)]));
  }

 private:
  SpectralLayout layout_;
  int components_;
  Owners owners_;
  int rank_;  ///< of several that share the work
  struct Scratch {
    Scratch(std::int64_t of_plane, std::int64_t of_column)
        : plane_size(of_plane), column_size(of_column),
          plane(Data::temporary<std::complex<T>>("plane scratch", of_plane)),
          column(Data::temporary<std::complex<T>>("column scratch", of_column)) {}
    std::int64_t plane_size, column_size;
    Data plane, column;
  };
  std::shared_ptr<Scratch const> scratch_;
};

}  // namespace nearfar::detail

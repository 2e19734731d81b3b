// SPDX-License-Identifier: BSD-3-Clause
// Alternative ways to spread points: see P2G.
#include "codelets/common/portable.hpp"
#include "codelets/spectral/p2g/p2g.hpp"
#include "codelets/spectral/p2g/p2g_buffers.hpp"
#include "codelets/spectral/p2g/p2g_spread.hpp"
#include "core/geometry/point_range.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace nearfar {

namespace {

/// The slab of a task, plane by plane.
template <class T>
struct SlabPlanes {
  P2GArgs const& args;
  T* slab;
  int first, count, length;
  std::int64_t size;

  SlabPlanes(P2GArgs const& a, T* data)
      : args(a), slab(data), first(a.grid.layout.first_plane(a.slab)), count(a.grid.layout.planes(a.slab)),
        length(a.grid.layout.row_length), size(a.grid.layout.plane_size()) {}

  T* plane(int m, int p) const { return slab + (std::int64_t(m) * count + p) * size; }
  /// The slab's number of plane ix of a window that begins at plane window_first; >= count if it is outside the slab.
  int place(int window_first, int ix) const { return wrap(window_first + ix - first, args.grid.layout.size[0]); }

  void clear(int p) const {
    for (int m = 0; m < args.components; ++m) std::fill_n(plane(m, p), size, T(0));
  }
  void fold(int p) const {
    for (int m = 0; m < args.components; ++m) fold_halo(args.grid, plane(m, p));
  }
  bool touched(int window_first) const {
    for (int ix = 0; ix < args.grid.window; ++ix)
      if (place(window_first, ix) < count) return true;
    return false;
  }
};

/// A source with its windows.
template <Spreading S, class T>
struct SpreadSource {
  Footprint<T> x, y, z;
  Line<S, T> wx, wy, wz;
  Spread<S, T> spread;

  SpreadSource(P2GArgs const& args, WindowTable<T> const& w, BlockView<T> const& block, int j, Footprint<T> at_x)
      : x(at_x), y(footprint<T>(args.grid, 1, block.position[block.stride + j])),
        z(footprint<T>(args.grid, 2, block.position[2 * block.stride + j])), wx(w, x.s), wy(w, y.s), wz(w, z.s),
        spread(args, block, j) {}
};

/// Calls visit(block, first point, last point) for the points of each cell, block by block.
template <class T, class Visit>
void for_each_cell(P2GBuffers<T> const& b, Visit const& visit) {
  for (int i = 0; i < b.blocks(); ++i) {
    BlockView<T> const block = b.block(i);
    auto const cells = b.buffers.template size<std::int32_t>(1, i, &SpreadBlock::offset) - 1;
    for (std::int64_t c = 0; c < cells; ++c)
      if (block.offset[c] < block.offset[c + 1]) visit(block, block.offset[c], block.offset[c + 1]);
  }
}

/// Source by source with its whole window, so that each window is computed once. Threads divide the planes.
template <class T, Spreading S>
void by_sources(Buffers const& buffers, P2GArgs const& args) {
  P2GBuffers<T> const b(buffers, args);
  SlabPlanes<T> const planes(args, b.slab);
  int const window = args.grid.window;
  portable_parts([&](LoopPart part) {
    for (int p = part.index; p < planes.count; p += part.count) planes.clear(p);
    for_each_cell(b, [&](BlockView<T> const& block, int first, int last) {
      for (int j = first; j < last; ++j) {
        auto const x = footprint<T>(args.grid, 0, block.position[j]);
        if (!planes.touched(x.first)) continue;
        SpreadSource<S, T> const source(args, *b.window, block, j, x);
        for (int ix = 0; ix < window; ++ix) {
          int const p = planes.place(x.first, ix);
          if (p >= planes.count || !part.has(p)) continue;
          for (int iy = 0; iy < window; ++iy) {
            std::int64_t const row = std::int64_t(source.y.first + iy) * planes.length + source.z.first;
            for (int iz = 0; iz < window; ++iz)
              source.spread.at(source.wx.at(ix), source.wy.at(iy), source.wz.at(iz),
                               [&](int m, T value) { planes.plane(m, p)[row + iz] += value; });
          }
        }
      }
    });
    for (int p = part.index; p < planes.count; p += part.count) planes.fold(p);
  });
}

constexpr int sources_together = 32;

/// The windows of some sources of a cell. Row by row of what they touch, contributions are summed in a small buffer and
/// then added to the grid once.
template <Spreading S, class T>
class SourceTile {
 public:
  SourceTile(P2GArgs const& args, WindowTable<T> const& window, SlabPlanes<T> const& planes)
      : args_(args), window_(window), planes_(planes), row_(std::size_t(args.components * planes.length)) {
    sources_.reserve(sources_together);
  }

  void add(BlockView<T> const& block, int j) {
    auto const x = footprint<T>(args_.grid, 0, block.position[j]);
    if (planes_.touched(x.first)) sources_.emplace_back(args_, window_, block, j, x);
  }
  bool full() const { return sources_.size() == sources_together; }

  /// Spreads them to the planes of `part`.
  void spread(LoopPart part) {
    if (sources_.empty()) return;
    auto const range = [&](auto first) {
      auto const [low, high] = std::minmax_element(sources_.begin(), sources_.end(),
                                                   [&](auto const& a, auto const& b) { return first(a) < first(b); });
      return PointRange{first(*low), first(*high) + args_.grid.window};
    };
    PointRange const y = range([](auto const&s) { return s.y.first; }),
                     z = range([](auto const&s) { return s.z.first; });
    for (int p = part.index; p < planes_.count; p += part.count)
      for (int iy = y.first; iy < y.last; ++iy) spread_row(p, iy, z);
    sources_.clear();
  }

 private:
  void spread_row(int p, int y, PointRange z) {
    int const window = args_.grid.window, width = z.count();
    bool any = false;
    for (auto const& s : sources_) {
      int const ix = wrap(planes_.first + p - s.x.first, args_.grid.layout.size[0]), iy = y - s.y.first;
      if (ix >= window || iy < 0 || iy >= window) continue;
      if (!any) std::fill_n(row_.data(), args_.components * width, T(0));
      any = true;
      T* const row = row_.data() + s.z.first - z.first;
      for (int iz = 0; iz < window; ++iz)
        s.spread.at(s.wx.at(ix), s.wy.at(iy), s.wz.at(iz), [&](int m, T value) { row[m * width + iz] += value; });
    }
    for (int m = 0; m < args_.components && any; ++m) {
      T* const out = planes_.plane(m, p) + std::int64_t(y) * planes_.length + z.first;
      for (int i = 0; i < width; ++i) out[i] += row_[std::size_t(m * width + i)];
    }
  }

  P2GArgs const& args_;
  WindowTable<T> const& window_;
  SlabPlanes<T> const& planes_;
  std::vector<SpreadSource<S, T>> sources_;
  std::vector<T> row_;
};

/// Cell by cell: contributions are summed over the sources of a cell before they are added to the grid.
template <class T, Spreading S>
void by_cells(Buffers const& buffers, P2GArgs const& args) {
  P2GBuffers<T> const b(buffers, args);
  SlabPlanes<T> const planes(args, b.slab);
  portable_parts([&](LoopPart part) {
    for (int p = part.index; p < planes.count; p += part.count) planes.clear(p);
    SourceTile<S, T> tile(args, *b.window, planes);
    for_each_cell(b, [&](BlockView<T> const& block, int first, int last) {
      for (int j = first; j < last; ++j) {
        tile.add(block, j);
        if (tile.full()) tile.spread(part);
      }
      tile.spread(part);
    });
    for (int p = part.index; p < planes.count; p += part.count) planes.fold(p);
  });
}

}  // namespace

template <class T, Spreading S>
std::span<CpuVariant<P2GArgs> const> P2G<T, S>::further_variants() {
  static constexpr std::array all{CpuVariant<Args>{source_ordered, by_sources<T, S>},
                                  CpuVariant<Args>{hybrid, by_cells<T, S>}};
  return all;
}

#define NEARFAR_INSTANTIATE(T, S) template std::span<CpuVariant<P2GArgs> const> P2G<T, S>::further_variants();
NEARFAR_EACH_SPREADING(NEARFAR_INSTANTIATE)

}  // namespace nearfar

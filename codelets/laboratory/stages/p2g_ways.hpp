// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/spectral/p2g/p2g_spread.hpp"
#include "codelets/spectral/p2g/p2g_team.hpp"
#include "codelets/spectral/p2g/tile_runs.hpp"
#include "codelets/spectral/window_bins.hpp"

#include <cstdint>

// Other ways of GPUs to spread points, as studies write them (docs/laboratory.md); P2GTeam is what solves run unless
// told otherwise.
namespace nearfar {

/// Spreads the points of `sources` as launch_p2g does, by a thread for each source, one for each node of the grid, or a
/// GPU block for each cell.
template <Spreading S, class T>
void launch_p2g_by_sources(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);
template <Spreading S, class T>
void launch_p2g_by_nodes(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);
template <Spreading S, class T>
void launch_p2g_by_cells(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources, void* stream);

/// Adds to a number that other threads add to at the same time.
template <class T>
NEARFAR_FUNCTION void add_by_turns(T* to, T value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  atomicAdd(to, value);
#else
  *to += value;
#endif
}

/// A P2G task with some of its blocks of sources.
template <class T>
struct P2GSources {
  P2GLaunch<T> launch;
  LaunchList<BlockView<T>> blocks;

  NEARFAR_FUNCTION Grid const& grid() const { return launch.args.grid; }
  /// Cells of block number i of the task.
  NEARFAR_FUNCTION int cells(int i) const {
    Cells const& c = launch.args.cells;
    return c.cells_in(0, launch.args.blocks.item(i / (c.blocks[1] * c.blocks[2]))) *
           c.cells_in(1, i / c.blocks[2] % c.blocks[1]) * c.cells_in(2, i % c.blocks[2]);
  }
  NEARFAR_FUNCTION Footprint<T> foot(BlockView<T> const& block, int d, int point) const {
    return footprint<T>(grid(), d, block.position[d * block.stride + point]);
  }
  NEARFAR_FUNCTION std::int64_t component() const {
    return grid().layout.planes(launch.args.slab) * grid().layout.plane_size();
  }
  /// The first component of a node, whose numbers may be one grid too high; null beyond the slab.
  NEARFAR_FUNCTION T* node(int x, int y, int z) const {
    auto const& l = grid().layout;
    int const n[3] = {l.size[0], l.size[1], l.size[2]};
    int const plane = wrap(x - l.first_plane(launch.args.slab), n[0]);
    if (plane >= l.planes(launch.args.slab)) return nullptr;
    return launch.slab + plane * l.plane_size() + std::int64_t(y < n[1] ? y : y - n[1]) * l.row_length +
           (z < n[2] ? z : z - n[2]);
  }
};

/// Source-ordered: a thread for each source, which adds all of its window to the grid. Thread i has point i % room of
/// block i / room, if there is one.
template <Spreading S, class T>
struct SpreadOneSource {
  P2GSources<T> sources;
  std::int64_t room;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    int const number = sources.blocks.first + int(i / room), point = int(i % room), window = sources.grid().window;
    BlockView<T> const& block = sources.blocks[number];
    if (point >= block.offset[sources.cells(number)]) return;
    auto const x = sources.foot(block, 0, point), y = sources.foot(block, 1, point), z = sources.foot(block, 2, point);
    Line<S, T> const wx(*sources.launch.window, x.s), wy(*sources.launch.window, y.s), wz(*sources.launch.window, z.s);
    Spread<S, T> const spread(sources.launch.args, block, point);
    std::int64_t const component = sources.component();
    for (int ix = 0; ix < window; ++ix)
      for (int iy = 0; iy < window; ++iy)
        for (int iz = 0; iz < window; ++iz)
          if (T* const node = sources.node(x.first + ix, y.first + iy, z.first + iz); node != nullptr)
            spread.at(wx.at(ix), wy.at(iy), wz.at(iz),
                      [&](int m, T value) { add_by_turns(node + m * component, value); });
  }
};

/// Grid-ordered: a thread for each node of the slab, which sums up what the sources in the cells around bring there,
/// and works out its place in the window of each. One writer, a fixed order.
template <Spreading S, class T>
struct SumAtOneNode {
  P2GSources<T> sources;

  static std::int64_t count(P2GArgs const& args) {
    auto const& l = args.grid.layout;
    return std::int64_t(l.planes(args.slab)) * l.size[1] * l.size[2];
  }

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    P2GArgs const& args = sources.launch.args;
    auto const& l = sources.grid().layout;
    std::int64_t const row = i / l.size[2];
    int const node[3] = {wrap(l.first_plane(args.slab) + int(row / l.size[1]), l.size[0]), int(row % l.size[1]),
                         int(i % l.size[2])},
              one[3] = {1, 1, 1};
    T sum[4] = {};
    TileRuns const runs(args, node, one);
    for (int r = 0; r < runs.count(); ++r) {
      TileRun const run = runs.at(r, [&](int block) {
        return sources.blocks.has(block) ? sources.blocks[block].offset : static_cast<std::int32_t const*>(nullptr);
      });
      for (int k = 0; k < run.count; ++k) add(node, sources.blocks[run.block], run.first + k, sum);
    }
    T* const out = sources.node(node[0], node[1], node[2]);
    for (int m = 0; m < args.components; ++m) {
      T& at = out[m * sources.component()];
      at = sources.blocks.first > 0 ? at + sum[m] : sum[m];
    }
  }

 private:
  NEARFAR_FUNCTION void add(int const* node, BlockView<T> const& block, int point, T* sum) const {
    Sample<T> sample[3];
    for (int d = 0; d < 3; ++d) {
      auto const foot = sources.foot(block, d, point);
      int const bin = wrap(node[d] - foot.first, sources.grid().layout.size[d]);
      if (bin >= sources.grid().window) return;
      window_bins<1, has_slopes(S)>(*sources.launch.window, bin, &foot.s, &sample[d].value, &sample[d].slope);
    }
    Spread<S, T>(sources.launch.args, block, point).at(sample[0], sample[1], sample[2], [&](int m, T value) {
      sum[m] += value;
    });
  }
};

/// Hybrid: a GPU block for each cell. It works out the windows of some sources of the cell, which its threads share;
/// each thread then takes nodes among those that any of them reaches, and adds the sum of the sources to the grid once.
template <Spreading S, class T>
struct SpreadOneCell {
  static constexpr int threads = 128, batch = 16, resident = 4;
  struct State {};
  struct Memory {
    T value[batch][3][max_window_points], slope[has_slopes(S) ? batch : 1][3][max_window_points];
    T s[batch][3];
    int first[3];         ///< of the first window
    int ahead[batch][3];  ///< where the others begin, counted from there
    int low[3], size[3];  ///< of what they reach, likewise
  };
  struct Launch {
    P2GSources<T> sources;
    int room;  ///< block i of the task's sources has the GPU blocks i room, i room + 1, ..
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int number, Memory* memory) {
    P2GSources<T> const& sources = launch.sources;
    int const at = sources.blocks.first + number / launch.room, cell = number % launch.room;
    if (cell >= sources.cells(at)) return;
    BlockView<T> const& block = sources.blocks[at];
    for (int first = block.offset[cell], last = block.offset[cell + 1]; first < last; first += batch) {
      int const count = last - first < batch ? last - first : batch;
      set_windows(team, sources, block, first, count, *memory);
      team.step([&](int t, State&) { add(sources, block, first, count, t, *memory); });
    }
  }

 private:
  template <class Team>
  NEARFAR_FUNCTION static void set_windows(Team& team, P2GSources<T> const& sources, BlockView<T> const& block,
                                           int first, int count, Memory& memory) {
    Grid const& grid = sources.grid();
    team.step([&](int t, State&) {
      if (t >= count) return;
      for (int d = 0; d < 3; ++d) {
        auto const foot = sources.foot(block, d, first + t);
        memory.s[t][d] = foot.s;
        if (t == 0) memory.first[d] = foot.first;
        int const n = grid.layout.size[d], from = sources.foot(block, d, first).first;
        memory.ahead[t][d] = wrap(foot.first - from + n / 2, n) - n / 2;
      }
    });
    team.step([&](int t, State&) {
      if (t < 3) {
        int low = memory.ahead[0][t], high = low;
        for (int k = 1; k < count; ++k) {
          int const ahead = memory.ahead[k][t];
          low = ahead < low ? ahead : low;
          high = ahead > high ? ahead : high;
        }
        memory.low[t] = low;
        memory.size[t] = high - low + grid.window;
      }
      for (int i = t; i < count * grid.window; i += threads) {
        int const k = i / grid.window, bin = i % grid.window;
        T value[3], slope[3];
        window_bins<3, has_slopes(S)>(*sources.launch.window, bin, memory.s[k], value, slope);
        for (int d = 0; d < 3; ++d) {
          memory.value[k][d][bin] = value[d];
          if constexpr (has_slopes(S)) memory.slope[k][d][bin] = slope[d];
        }
      }
    });
  }

  /// The nodes of thread t.
  NEARFAR_FUNCTION static void add(P2GSources<T> const& sources, BlockView<T> const& block, int first, int count, int t,
                                   Memory const& memory) {
    Grid const& grid = sources.grid();
    int const* const size = memory.size;
    for (int i = t; i < size[0] * size[1] * size[2]; i += threads) {
      int const place[3] = {memory.low[0] + i / (size[1] * size[2]), memory.low[1] + i / size[2] % size[1],
                            memory.low[2] + i % size[2]};
      int around[3];
      for (int d = 0; d < 3; ++d) around[d] = wrap(memory.first[d] + place[d], grid.layout.size[d]);
      T* const node = sources.node(around[0], around[1], around[2]);
      if (node == nullptr) continue;
      T sum[4] = {};
      bool any = false;
      for (int k = 0; k < count; ++k) {
        Sample<T> sample[3];
        bool reaches = true;
        for (int d = 0; d < 3; ++d) {
          int const bin = place[d] - memory.ahead[k][d];
          reaches = reaches && bin >= 0 && bin < grid.window;
          if (reaches)
            sample[d] = {memory.value[k][d][bin], memory.slope[has_slopes(S) ? k : 0][d][has_slopes(S) ? bin : 0]};
        }
        if (!reaches) continue;
        any = true;
        Spread<S, T>(sources.launch.args, block, first + k).at(sample[0], sample[1], sample[2], [&](int m, T value) {
          sum[m] += value;
        });
      }
      for (int m = 0; any && m < sources.launch.args.components; ++m)
        add_by_turns(node + m * sources.component(), sum[m]);
    }
  }
};

}  // namespace nearfar

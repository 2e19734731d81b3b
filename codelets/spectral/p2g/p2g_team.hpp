// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/near/block_view.hpp"
#include "codelets/spectral/p2g/spread_numbers.hpp"
#include "codelets/spectral/p2g/tile_nodes.hpp"
#include "codelets/spectral/p2g/tile_runs.hpp"
#include "codelets/spectral/window_bins.hpp"

#include <cstdint>

namespace nearfar {

/// Pointers of a P2G task.
template <class T>
struct P2GLaunch {
  P2GArgs args;
  WindowTable<T> const* window = nullptr;
  T* slab = nullptr;
};

/// Nodes of the grid that a block of GPU threads owns: X x Y x Z groups of 4 x 8 x 8 (tile_nodes.hpp).
template <int X, int Y, int Z>
struct TileShape {
  static constexpr int threads = 32 * X * Y * Z, line = 4 * X + 8 * Y + 8 * Z;

  NEARFAR_FUNCTION static constexpr int groups(int d) { return d == 0 ? X : d == 1 ? Y : Z; }
  NEARFAR_FUNCTION static constexpr int group(int d) { return d == 0 ? 4 : 8; }
  NEARFAR_FUNCTION static constexpr int size(int d) { return groups(d) * group(d); }
};

/// What the threads of a GPU block do for a tile of a slab: walk through the points around it, cell
/// by cell, and pick out those whose windows reach the tile. When there are enough, their windows are
/// computed as lines along the edges of the tile, zero outside a window, and the threads add products
/// of these to their nodes, in registers. Every node is written once, and no halo has to be folded.
template <template <class, int> class SpreadIn, class T, class Shape, template <class, class> class NodesIn>
struct P2GTeam {
  static constexpr int kinds = SpreadIn<T, 1>::kinds;                ///< of lines: values, and slopes
  static constexpr int line = Shape::line, room = line + 4 / kinds;  ///< lines of four points are in different banks
  using Spread = SpreadIn<T, room>;
  using Nodes = NodesIn<Spread, T>;
  static constexpr int threads = Shape::threads, nodes = Nodes::nodes, components = Spread::components,
                       pieces = Nodes::pieces;
  static constexpr int batch = kinds * sizeof(T) > 8 ? 64
                               : components == 1     ? 96
                                                     : 128;     ///< points whose lines are held at once
  static constexpr int resident = components == 1 ? 3 : 2;  ///< blocks of 256 threads
  static constexpr int max_runs = threads, words = threads / 32;

  struct Candidate {
    int block, point;
  };
  struct State {
    T sum[components][nodes];
    Candidate candidate;
  };
  struct Memory {
    alignas(16) typename Spread::Line lines[batch];
    alignas(16) typename Spread::Numbers numbers[batch];
    T s[batch][3];
    int place[batch][3];  ///< of the window's first bin, from the corner of the tile upwards, wrapped
    Candidate waiting[batch + threads];
    TileRun run[max_runs];
    int length[max_runs], before[max_runs + 1];  ///< cumulative lengths, by sixteens and of all
    std::uint32_t hits[words], reaching[batch / 32][pieces][words];
    typename Nodes::template List<batch / 32, words> list[words];
  };

  NEARFAR_FUNCTION static int tiles(Grid const& g, int slab, int d) {
    return ((d == 0 ? g.layout.planes(slab) : g.layout.size[d]) + Shape::size(d) - 1) / Shape::size(d);
  }
  static int blocks(P2GArgs const& args) {
    return tiles(args.grid, args.slab, 0) * tiles(args.grid, args.slab, 1) * tiles(args.grid, args.slab, 2);
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& sources,
                                   int block, Memory& memory) {
    Tile<Team>(team, launch, sources, memory, block).run();
  }

 private:
  /// Bit reversal: consecutive numbers become far apart.
  NEARFAR_FUNCTION static int reversed(int t) {
    int back = 0;
    for (int bit = 1; bit < threads; bit *= 2) back = 2 * back + ((t & bit) != 0 ? 1 : 0);
    return back;
  }

  template <class Team>
  struct Tile {
    Team& team;
    P2GLaunch<T> const& launch;
    LaunchList<BlockView<T>> const& sources;
    Memory& memory;
    Grid const& grid;
    double scale[3];
    int corner[3];    ///< of the tile, in the slab
    int waiting = 0;  ///< points that reach the tile and have not been added

    NEARFAR_FUNCTION Tile(Team& team_, P2GLaunch<T> const& launch_, LaunchList<BlockView<T>> const& sources_,
                          Memory& memory_, int block)
        : team(team_), launch(launch_), sources(sources_), memory(memory_), grid(launch_.args.grid) {
      for (int d = 0; d < 3; ++d) scale[d] = grid.layout.scale(d);
      int const slab = launch.args.slab, nz = tiles(grid, slab, 2), ny = tiles(grid, slab, 1);
      corner[0] = block / (ny * nz) * Shape::size(0);
      corner[1] = block / nz % ny * Shape::size(1);
      corner[2] = block % nz * Shape::size(2);
    }

    NEARFAR_FUNCTION void run() {
      begin();
      int const first[3] = {grid.layout.first_plane(launch.args.slab) + corner[0], corner[1], corner[2]};
      int const size[3] = {Shape::size(0), Shape::size(1), Shape::size(2)};
      TileRuns const runs(launch.args, first, size);
      int const count = runs.count();
      for (int from = 0; from < count; from += max_runs) {
        int const candidates = list_runs(runs, from, count);
        int const rounds = (candidates + threads - 1) / threads;
        for (int round = 0; round < rounds; ++round) {
          find(first, rounds, round, candidates);
          while (waiting >= batch) {
            add(first, batch);
            move_up();
          }
        }
      }
      add(first, waiting);
      end();
    }

    /// Lists some of the runs, with the number of points before each; returns the total.
    NEARFAR_FUNCTION int list_runs(TileRuns const& runs, int from, int count) {
      team.step([&](int t, State&) {
        TileRun run;
        if (from + t < count)
          run = runs.at(from + t, [&](int block) {
            return sources.has(block) ? sources[block].offset : static_cast<std::int32_t const*>(nullptr);
          });
        memory.run[t] = run;
      });
      team.step([&](int t, State&) {
        int sum = 0;
        for (int k = t & ~15; k <= t; ++k) sum += memory.run[k].count;
        memory.length[t] = sum;
      });
      team.step([&](int t, State&) {
        int sum = memory.length[t];
        for (int k = 15; k < (t & ~15); k += 16) sum += memory.length[k];
        memory.before[t + 1] = sum;
        if (t == 0) memory.before[0] = 0;
      });
      return memory.before[max_runs];
    }

    /// The window of a point relative to the tile; whether it reaches the tile.
    NEARFAR_FUNCTION bool place(Candidate const& c, int const* first, int* at, T* s) const {
      BlockView<T> const& view = sources[c.block];
      bool reaches = true;
      for (int d = 0; d < 3; ++d) {
        auto const foot = footprint<T>(grid, d, view.position[d * view.stride + c.point], scale[d]);
        int const ahead = foot.first - first[d];
        at[d] = ahead < 0 ? ahead + grid.layout.size[d] : ahead;
        s[d] = foot.s;
        reaches = reaches && covers(at[d], d, 0, Shape::size(d));
      }
      return reaches;
    }
    /// Whether a window that begins at `at` covers any of some nodes of the tile.
    NEARFAR_FUNCTION bool covers(int at, int d, int from, int count) const {
      int const n = grid.layout.size[d], ahead = at - from;  // -n < ahead < n
      int const behind = ahead > 0 ? n - ahead : -ahead;
      return (ahead >= 0 ? ahead : ahead + n) < count || (behind < n ? behind : 0) < grid.window;
    }

    /// Tests the next candidates, which are taken from all around the tile: consecutive points
    /// would reach the nodes of the same few groups of threads, and all others would wait.
    NEARFAR_FUNCTION void find(int const* first, int rounds, int round, int candidates) {
      team.vote(memory.hits, [&](int t, State& s) {
        int const number = reversed(t) * rounds + round;
        if (number >= candidates) return false;
        int low = 0, high = max_runs;
        while (high - low > 1) {
          int const middle = (low + high) / 2;
          (memory.before[middle] <= number ? low : high) = middle;
        }
        TileRun const& run = memory.run[low];
        s.candidate = {run.block, run.first + number - memory.before[low]};
        int ahead[3];
        T s_of[3];
        return place(s.candidate, first, ahead, s_of);
      });
      int found = 0;  // counted before any thread asks again
      for (int w = 0; w < words; ++w) found += bits_in(memory.hits[w]);
      team.step([&](int t, State& s) {
        std::uint32_t const mine = memory.hits[t / 32], bit = std::uint32_t(1) << t % 32;
        if ((mine & bit) == 0) return;
        int to = waiting + bits_in(mine & (bit - 1));
        for (int w = 0; w < t / 32; ++w) to += bits_in(memory.hits[w]);
        memory.waiting[to] = s.candidate;
      });
      waiting += found;
    }
    NEARFAR_FUNCTION void move_up() {
      // At most `threads` are left, so no thread reads what another one writes.
      team.step([&](int t, State& s) {
        if (t + batch < waiting) s.candidate = memory.waiting[t + batch];
      });
      team.step([&](int t, State& s) {
        if (t + batch < waiting) memory.waiting[t] = s.candidate;
      });
      waiting -= batch;
    }

    NEARFAR_FUNCTION void begin() {
      bool const goes_on = sources.first > 0;
      team.step([&](int t, State& s) {
        for (auto& component : s.sum)
          for (T& sum : component) sum = T(0);
        if (goes_on) for_nodes(t, s, [](T& sum, T& node) { sum = node; });
      });
    }
    NEARFAR_FUNCTION void end() {
      team.step([&](int t, State& s) { for_nodes(t, s, [](T& sum, T& node) { node = sum; }); });
    }
    /// Where the group of thread t begins in the tile.
    NEARFAR_FUNCTION static int group(int t, int d) {
      int const number = t / 32;
      if (d == 0) return number / (Shape::groups(1) * Shape::groups(2)) * Shape::group(0);
      if (d == 1) return number / Shape::groups(2) % Shape::groups(1) * Shape::group(1);
      return number % Shape::groups(2) * Shape::group(2);
    }
    template <class Visit>
    NEARFAR_FUNCTION void for_nodes(int t, State& s, Visit const& visit) {
      int const planes = grid.layout.planes(launch.args.slab), lane = t % 32;
      NEARFAR_DEVICE_UNROLL(8)  // sums are registers
      for (int k = 0; k < nodes; ++k) {
        int const x = corner[0] + group(t, 0) + Nodes::x(lane, k), y = corner[1] + group(t, 1) + Nodes::y(lane, k),
                  z = corner[2] + group(t, 2) + Nodes::z(lane, k);
        if (x >= planes || y >= grid.layout.size[1] || z >= grid.layout.size[2]) continue;
        T* node = launch.slab + x * grid.layout.plane_size() + std::int64_t(y) * grid.layout.row_length + z;
        NEARFAR_DEVICE_UNROLL(4)
        for (int m = 0; m < components; ++m) visit(s.sum[m][k], node[m * planes * grid.layout.plane_size()]);
      }
    }

    /// Adds the first `count` waiting points.
    NEARFAR_FUNCTION void add(int const* first, int count) {
      if (count == 0) return;
      team.step([&](int t, State&) {
        T* const lines = &memory.lines[0][0][0];
        for (int i = t; i < batch * kinds * room; i += threads) lines[i] = T(0);
        for (int p = t; p < count; p += threads) {
          Candidate const c = memory.waiting[p];
          place(c, first, memory.place[p], memory.s[p]);
          BlockView<T> const& view = sources[c.block];
          memory.numbers[p].set(launch.args, view.strength + c.point, view.stride);
        }
      });
      constexpr int piece = Shape::group(2) / pieces;
      for (int part = 0; part < batch / 32; ++part)
        for (int i = 0; i < pieces; ++i)
          team.vote_by_32(memory.reaching[part][i], [&](int t, State&) {
            int const p = 32 * part + t % 32;
            if (p >= count) return false;
            int const* const place = memory.place[p];
            return covers(place[0], 0, group(t, 0), Shape::group(0)) &&
                   covers(place[1], 1, group(t, 1), Shape::group(1)) &&
                   covers(place[2], 2, group(t, 2) + i * piece, piece);
          });
      team.step([&](int t, State&) {
        memory.list[t / 32].set(&memory.reaching[0][0][t / 32], t % 32);
        fill_lines(t, count);
      });
      team.step([&](int t, State& s) {
        Nodes::add(memory, memory.list[t / 32], &memory.reaching[0][0][t / 32], t % 32, group(t, 0),
                   Shape::size(0) + group(t, 1), Shape::size(0) + Shape::size(1) + group(t, 2), s.sum);
      });
    }

    /// Computes the points' windows bin by bin, two points at a time, which share what is read of the table.
    NEARFAR_FUNCTION void fill_lines(int t, int count) {
      constexpr int together = 2;
      int const bin = t % grid.window, step = threads / grid.window;
      if (t / grid.window >= step) return;
      for (int p = t / grid.window; p < count; p += together * step) {
        int const point[together] = {p, p + step < count ? p + step : p};
        T s[3 * together], value[kinds][3 * together];
        for (int i = 0; i < together; ++i)
          for (int d = 0; d < 3; ++d) s[3 * i + d] = memory.s[point[i]][d];
        window_bins<3 * together, (kinds > 1)>(*launch.window, bin, s, value[0], value[kinds - 1]);
        for (int i = 0; i < together; ++i)
          for (int d = 0, begin = 0; d < 3; begin += Shape::size(d++)) {
            int const ahead = memory.place[point[i]][d] + bin,
                      at = ahead < grid.layout.size[d] ? ahead : ahead - grid.layout.size[d];
            if (at >= Shape::size(d)) continue;
            for (int k = 0; k < kinds; ++k) memory.lines[point[i]][k][begin + at] = value[k][3 * i + d];
          }
      }
    }
  };
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/spectral/g2p/g2p_team.hpp"
#include "codelets/spectral/g2p/gather_brick.hpp"
#include "codelets/spectral/g2p/gpu_copy.hpp"
#include "codelets/spectral/window_bins.hpp"

#include <cstddef>
#include <cstdint>

namespace nearfar {

/// What the threads of a GPU block do for the targets of a brick of cells: copy the nodes that these read to
/// shared memory, component by component; then 32 threads share a target. Each handles some rows and columns
/// of a window, the same for all targets, and sums over its planes. `passes` of 32 cover the window.
///
/// Read directly from device memory, a row of a window would cost all of the cache lines that it touches.
template <class Gather, class T, int passes>
struct G2PBrickTeam {
  static constexpr int threads = 256, resident = 2, components = Gather::components;
  static constexpr int batch = 64;  ///< targets whose windows are held at once
  static constexpr int slices = threads / batch, groups = threads / 32;

  static constexpr int bins() {
    int widest = 1;
    while (widest < max_window_points && (widest + 1) * (widest + 1) <= 32 * passes) ++widest;
    return widest;
  }

  struct alignas(2 * sizeof(T)) Pair {
    T first, second;
  };
  struct State {
    int y[passes], z[passes];  ///< in the window; y is beyond its end for threads that have no row
    int place[passes];         ///< in shared memory, from the corner of the window
  };
  struct Launch {
    G2PLaunch<T> gather;
    GatherBrick brick;
    LaunchList<T const*> slabs;
  };
  /// Of the grid, behind the nodes in shared memory.
  struct Row {
    T const* data;  ///< of the first component; null: another launch has it
    std::int64_t component;
  };
  struct alignas(16) Memory {
    T window[batch][3][bins()];
    T part[batch][32 + slices];  ///< of sums of 32 numbers; rows begin in different banks
    T s[batch][3];
    int corner[batch], target[batch];
    int first[GatherBrick::max_runs], count[GatherBrick::max_runs], before[GatherBrick::max_runs + 1];
  };
  /// Bytes of shared memory that a GPU block needs.
  static int bytes(GatherBrick const& brick) {
    return int(sizeof(Memory) + std::size_t(brick.rows()) * sizeof(Row) + std::size_t(brick.size()) * sizeof(T));
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int block, Memory* memory) {
    Brick<Team>(team, launch, *memory, block).run();
  }

 private:
  template <class Team>
  struct Brick {
    Team& team;
    Launch const& launch;
    G2PLaunch<T> const& gather;
    GatherBrick const& brick;
    Memory& memory;
    Row* rows;
    T* nodes;
    Grid const& grid;
    int place[3], node[3];  ///< of the brick in the block, and its first node

    NEARFAR_FUNCTION Brick(Team& team_, Launch const& launch_, Memory& memory_, int number)
        : team(team_), launch(launch_), gather(launch_.gather), brick(launch_.brick), memory(memory_),
          rows(reinterpret_cast<Row*>(&memory_ + 1)), nodes(reinterpret_cast<T*>(rows + launch_.brick.rows())),
          grid(launch_.gather.args.grid), place{number / (brick.bricks[1] * brick.bricks[2]),
                                                number / brick.bricks[2] % brick.bricks[1], number % brick.bricks[2]} {
      for (int d = 0; d < 3; ++d) node[d] = around(brick.first_node(d, place[d]), d);
    }

    NEARFAR_FUNCTION void run() {
      int const count = list_targets();
      if (count == 0) return;
      begin();
      for (int from = 0; from < count; from += batch) {
        int const left = count - from, some = left < batch ? left : batch;
        set_windows(from, some);
        for (int m = 0; m < components; ++m) {
          gather_component(some);
          add_up(m, some);
        }
      }
    }

    /// The targets of the chunk, as runs of cells along z; returns the number of runs.
    NEARFAR_FUNCTION int list_targets() {
      team.step([&](int t, State&) {
        if (t >= brick.runs()) return;
        PointRange const chunk = gather.args.chunk;
        int const x = place[0] * brick.cells[0] + t / brick.cells[1],
                  y = place[1] * brick.cells[1] + t % brick.cells[1], z = place[2] * brick.cells[2],
                  left = brick.in_block[2] - z, row = (x * brick.in_block[1] + y) * brick.in_block[2] + z;
        memory.count[t] = 0;
        if (x >= brick.in_block[0] || y >= brick.in_block[1]) return;
        int const low = gather.offset[row], high = gather.offset[row + (left < brick.cells[2] ? left : brick.cells[2])],
                  first = low > chunk.first ? low : chunk.first, last = high < chunk.last ? high : chunk.last;
        memory.first[t] = first - chunk.first;
        if (last > first) memory.count[t] = last - first;
      });
      team.step([&](int t, State&) {
        if (t > brick.runs()) return;
        int sum = 0;
        for (int i = 0; i < t; ++i) sum += memory.count[i];
        memory.before[t] = sum;
      });
      return memory.before[brick.runs()];
    }

    /// The addresses of rows of the grid, and a thread's rows and columns of every window.
    NEARFAR_FUNCTION void begin() {
      team.step([&](int t, State& s) {
        for (int k = 0; k < passes; ++k) {
          int const number = 32 * k + t % 32, window = grid.window;
          bool const has = number < window * window;
          s.y[k] = has ? number / window : window;
          s.z[k] = number % window;
          s.place[k] = has ? s.y[k] * brick.pitch + s.z[k] : 0;
        }
        bool const one_slab = grid.layout.slabs == 1;
        for (int row = t; row < brick.rows(); row += threads) {
          int const x = around(node[0] + row / brick.nodes[1], 0), y = around(node[1] + row % brick.nodes[1], 1),
                    slab = one_slab ? 0 : grid.layout.slab_of(x), number = gather.args.slabs.place(slab),
                    first = one_slab ? 0 : grid.layout.first_plane(slab),
                    planes = one_slab ? grid.layout.size[0] : grid.layout.planes(slab);
          bool const has = number < gather.args.slabs.count && launch.slabs.has(number);
          rows[row] = {has ? launch.slabs[number] + (x - first) * grid.layout.plane_size() +
                                 std::int64_t(y) * grid.layout.row_length
                           : nullptr,
                       planes * grid.layout.plane_size()};
        }
      });
    }
    /// Wraps numbers from less than two grids below to less than three above.
    NEARFAR_FUNCTION int around(int i, int d) const {
      int const n = grid.layout.size[d];
      i = i < 0 ? i + n : i < n ? i : i - n;
      return i < 0 ? i + n : i < n ? i : i - n;
    }

    /// While the nodes of the first component come.
    NEARFAR_FUNCTION void set_windows(int from, int some) {
      team.step([&](int t, State&) {
        if (from == 0 || components > 1) bring_nodes(t, 0);
        if (t >= some) return;
        int run = 0;
        while (memory.before[run + 1] <= from + t) ++run;
        int const target = memory.first[run] + from + t - memory.before[run];
        int ahead[3];
        for (int d = 0; d < 3; ++d) {
          auto const foot = footprint<T>(grid, d, gather.position[d * gather.stride + target], gather.scale[d]);
          ahead[d] = foot.first - node[d];
          if (ahead[d] < 0) ahead[d] += grid.layout.size[d];
          memory.s[t][d] = foot.s;
        }
        memory.target[t] = target;
        memory.corner[t] = ahead[0] * brick.plane() + ahead[1] * brick.pitch + ahead[2];
      });
      team.step([&](int t, State&) {
        int const bin = t % grid.window, step = threads / grid.window;
        for (int i = t / grid.window; t / grid.window < step && i < some; i += step) {
          T value[3];
          window_bins<3, false>(*gather.window, bin, memory.s[i], value, static_cast<T*>(nullptr));
          for (int d = 0; d < 3; ++d) memory.window[i][d][bin] = value[d];
        }
        gpu_await_copies();
      });
    }

    /// Has a thread's part of the nodes of a component copied, two at a time.
    NEARFAR_FUNCTION void bring_nodes(int t, int m) {
      int const pairs = (brick.nodes[2] + 1) / 2, rows_at_once = threads / pairs, i = 2 * (t % pairs);
      if (t / pairs >= rows_at_once) return;
      int const z = around(node[2] + i, 2);
      NEARFAR_DEVICE_UNROLL(4)
      for (int number = t / pairs; number < brick.rows(); number += rows_at_once) {
        Row const& row = rows[number];
        auto& to = reinterpret_cast<Pair&>(nodes[number * brick.pitch + i]);
        if (row.data == nullptr) to = {T(0), T(0)};
        else gpu_copy_to_shared(&to, reinterpret_cast<Pair const*>(row.data + m * row.component + z));
      }
    }

    /// Each thread's part of the sum for each target.
    NEARFAR_FUNCTION void gather_component(int some) {
      team.step([&](int t, State& s) {
        int const window = grid.window, plane = brick.plane();
        for (int i = t / 32; i < some; i += groups) {
          auto const& w = memory.window[i];
          T sum[passes], total = T(0);
          for (T& part : sum) part = T(0);
          T const* at = nodes + memory.corner[i];
          NEARFAR_DEVICE_UNROLL(4)
          for (int x = 0; x < window; ++x, at += plane)
            for (int k = 0; k < passes; ++k) sum[k] += w[0][x] * at[s.place[k]];
          for (int k = 0; k < passes; ++k)
            if (s.y[k] < window) total += w[1][s.y[k]] * w[2][s.z[k]] * sum[k];
          memory.part[i][t % 32] = total;
        }
      });
    }

    /// Adds these up while the nodes of the next component come.
    NEARFAR_FUNCTION void add_up(int m, int some) {
      team.step([&](int t, State&) {
        if (m + 1 < components) bring_nodes(t, m + 1);
        int const target = t / slices, slice = t % slices;
        if (target >= some) return;
        T sum = T(0);
        for (int k = slice; k < 32; k += slices) sum += memory.part[target][k];
        memory.part[target][32 + slice] = sum;
      });
      team.step([&](int t, State&) {
        if (t < some) {
          T sum = T(0);
          for (int k = 0; k < slices; ++k) sum += memory.part[t][32 + k];
          T& out = gather.result[m * gather.result_stride + memory.target[t]];
          out = launch.slabs.first > 0 ? out + sum : sum;
        }
        gpu_await_copies();
      });
    }
  };
};

}  // namespace nearfar

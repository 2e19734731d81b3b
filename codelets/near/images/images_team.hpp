// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/near/images/images_body.hpp"
#include "codelets/near/p2p/p2p_team.hpp"

namespace nearfar {

/// Pointers of an Images task, and the sums of the parts.
template <class T, class A>
struct ImagesLaunch {
  P2PArgs args;
  EwaldTables<T> const* tables = nullptr;
  T const* target = nullptr;
  std::int32_t const* offset = nullptr;
  std::int64_t stride = 0;
  A const* own = nullptr;  ///< packed sources of the targets
  double *sums = nullptr, *part = nullptr;

  /// Few cells have images around: many teams find them soonest. Cells of a part are so many apart, a prime, so that
  /// they do not all lie at one face.
  NEARFAR_FUNCTION int parts() const {
    int const cells = cells_of_block(args.cells, args.block), most = 16381;
    return cells < most ? cells : most;
  }
};
template <class T, class A>
struct ImagesLaunchOf {
  ImagesLaunch<T, A> task;
  LaunchList<SourceView<A>> sources;
};

/// What the threads of a GPU block do for one part of a chunk's cells: of each cell with images around, a thread takes
/// every fourth target and every eighth column. A cell has few targets, so that a thread for each would leave most
/// idle.
template <class T, class K, class A>
struct ImagesTeam {
  static constexpr int threads = 32, targets = 4, memory_size = image_sums * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, ImagesLaunchOf<T, A> const& launch, int part, double* memory) {
    team.step([&](int t, NoState&) {
      double sum[image_sums] = {};
      ColumnReach const reach = column_reach(launch.task.args.cells);
      int const cells = cells_of_block(launch.task.args.cells, launch.task.args.block);
      for (int i = part; i < cells; i += launch.task.parts()) add_cell(launch, reach, i, t, sum);
      for (int m = 0; m < image_sums; ++m) memory[m * threads + t] = sum[m];
    });
    add_up_threads<threads, image_sums>(team, memory);
    team.step([&](int t, NoState&) {
      if (t < image_sums) launch.task.part[part * image_sums + t] = memory[t * threads];
    });
  }

 private:
  /// Thread t's targets of cell number i, in its columns.
  NEARFAR_FUNCTION static void add_cell(ImagesLaunchOf<T, A> const& launch, ColumnReach const& reach, int i, int t,
                                        double* sum) {
    ImagesLaunch<T, A> const& task = launch.task;
    Cells const& cells = task.args.cells;
    PointRange const& chunk = task.args.chunk;
    int const first = (task.offset[i] > chunk.first ? task.offset[i] : chunk.first) + t % targets,
              last = task.offset[i + 1] < chunk.last ? task.offset[i + 1] : chunk.last;
    if (first >= last) return;
    int cell[3];
    cell_of_block(cells, task.args.block, i, cell);
    if (!images_around(cells, reach, cell)) return;
    auto const source = [&](int n) { return launch.sources.has(n) ? launch.sources[n] : SourceView<A>{}; };
    auto const add = [&](SourceView<A> const& sources, int at, int, int length, T const* shift) {
      if (!is_summed_image(shift)) return;
      for (int k = first; k < last; k += targets) {
        T const x[3] = {task.target[k], task.target[task.stride + k], task.target[2 * task.stride + k]};
        A const* const own = task.own + std::int64_t(k) * PackedSource<T, A>::width(K::strengths);
        add_image_run<K>(task.tables->near, x, own, sources, sources.offset[at], sources.offset[at + length], shift,
                         sum);
      }
    };
    int const wide = 2 * reach.cells[1] + 1, columns = (2 * reach.cells[0] + 1) * wide;
    for (int n = t / targets; n < columns; n += threads / targets) {
      Column column;
      if (find_column(cells, reach, cell[0], cell[1], n / wide - reach.cells[0], n % wide - reach.cells[1], column) &&
          may_hold_images(cells, column, cell[2]))
        for_each_stretch<T>(task.args, column, cell[2] + column.low, cell[2] + column.high, cell[2], source, add);
    }
  }
};

/// The next step: adds the parts, and what earlier launches of the task found.
template <class T, class A>
struct ImagesGatherTeam {
  static constexpr int threads = 128, memory_size = image_sums * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, ImagesLaunchOf<T, A> const& launch, int, double* memory) {
    team.step([&](int t, NoState&) {
      double sum[image_sums] = {};
      for (int i = t; i < launch.task.parts(); i += threads)
        for (int m = 0; m < image_sums; ++m) sum[m] += launch.task.part[i * image_sums + m];
      for (int m = 0; m < image_sums; ++m) memory[m * threads + t] = sum[m];
    });
    add_up_threads<threads, image_sums>(team, memory);
    team.step([&](int t, NoState&) {
      if (t >= image_sums) return;
      double const before = launch.sources.first > 0 ? launch.task.sums[t] : 0;
      launch.task.sums[t] = before + memory[t * threads];
    });
  }
};

}  // namespace nearfar

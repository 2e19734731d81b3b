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

  /// Few cells have images around: a team for each finds them soonest.
  NEARFAR_FUNCTION int parts() const {
    int const cells = cells_of_block(args.cells, args.block), most = 4096;
    return cells < most ? cells : most;
  }
};
template <class T, class A>
struct ImagesLaunchOf {
  ImagesLaunch<T, A> task;
  LaunchList<SourceView<A>> sources;
};

/// What the threads of a GPU block do for one part of a chunk's cells: cell by cell, a thread for each target. A cell
/// has few targets, so that more threads would have none.
template <class T, class K, class A>
struct ImagesTeam {
  static constexpr int threads = 32, memory_size = image_sums * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, ImagesLaunchOf<T, A> const& launch, int part, double* memory) {
    team.step([&](int t, NoState&) {
      double sum[image_sums] = {};
      int const cells = cells_of_block(launch.task.args.cells, launch.task.args.block);
      for (int i = part; i < cells; i += launch.task.parts()) add_cell(launch, i, t, sum);
      for (int m = 0; m < image_sums; ++m) memory[m * threads + t] = sum[m];
    });
    add_up_threads<threads, image_sums>(team, memory);
    team.step([&](int t, NoState&) {
      if (t < image_sums) launch.task.part[part * image_sums + t] = memory[t * threads];
    });
  }

 private:
  /// Thread t's targets of cell number i.
  NEARFAR_FUNCTION static void add_cell(ImagesLaunchOf<T, A> const& launch, int i, int t, double* sum) {
    ImagesLaunch<T, A> const& task = launch.task;
    PointRange const& chunk = task.args.chunk;
    int const first = task.offset[i] > chunk.first ? task.offset[i] : chunk.first,
              last = task.offset[i + 1] < chunk.last ? task.offset[i + 1] : chunk.last;
    if (first + t >= last) return;
    int cell[3];
    cell_of_block(task.args.cells, task.args.block, i, cell);
    auto const source = [&](int n) { return launch.sources.has(n) ? launch.sources[n] : SourceView<A>{}; };
    auto const add = [&](SourceView<A> const& sources, int at, int, int length, T const* shift) {
      if (!is_summed_image(shift)) return;
      for (int k = first + t; k < last; k += threads) {
        T const x[3] = {task.target[k], task.target[task.stride + k], task.target[2 * task.stride + k]};
        A const* const own = task.own + std::int64_t(k) * PackedSource<T, A>::width(K::strengths);
        add_image_run<K>(task.tables->near, x, own, sources, sources.offset[at], sources.offset[at + length], shift,
                         sum);
      }
    };
    for_each_column(task.args.cells, cell[0], cell[1], [&](Column const& column) {
      if (may_hold_images(task.args.cells, column, cell[2]))
        for_each_stretch<T>(task.args, column, cell[2] + column.low, cell[2] + column.high, cell[2], source, add);
    });
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

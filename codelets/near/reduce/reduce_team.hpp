// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/near/reduce/reduce.hpp"
#include "core/geometry/mutual.hpp"

namespace nearfar {

/// Pointers of a Reduce task; `contribution` holds those of the blocks args.from, in their order.
template <class T>
struct ReduceLaunch {
  ReduceArgs args;
  std::int32_t const* offset = nullptr;
  T* near = nullptr;
  int contributions = 0;
  T const* contribution[max_contributions] = {};

  template <class Buffers>
  static ReduceLaunch of(Buffers const& b, ReduceArgs const& args) {
    ReduceLaunch launch{args, b.template get<std::int32_t const>(0), b.template get<T>(2), b.count(1)};
    for (int r = 0; r < launch.contributions; ++r) launch.contribution[r] = b.template get<T const>(1, r);
    return launch;
  }
};

/// What the threads of a GPU block do for one column of cells of the targets (codelets/common/gpu/gpu_team.hpp):
/// a thread adds one number after another, in the order of the contributions.
template <class T>
struct ReduceTeam {
  static constexpr int threads = 128, memory_size = 1;
  using State = NoState;

  NEARFAR_FUNCTION static int blocks(ReduceArgs const& args) {
    return args.cells.cells_in(0, args.block.at[0]) * args.cells.cells_in(1, args.block.at[1]);
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, ReduceLaunch<T> const& launch, int block, T*) {
    ReduceArgs const& args = launch.args;
    int const ny = args.cells.cells_in(1, args.block.at[1]), nz = args.cells.cells_in(2, args.block.at[2]);
    int const in_column = launch.offset[block * nz], end = launch.offset[(block + 1) * nz];
    int const first = in_column > args.chunk.first ? in_column : args.chunk.first,
              last = end < args.chunk.last ? end : args.chunk.last;
    std::int64_t const before = std::int64_t(args.chunk.first) * args.row;
    team.step([&](int t, NoState&) {
      for (std::int64_t i = std::int64_t(first) * args.row + t; i < std::int64_t(last) * args.row; i += threads) {
        T sum = launch.near[i - before];
        for (int r = 0; r < launch.contributions; ++r)
          if (is_mutual_column(args.cells, args.from[r], args.block, block / ny, block % ny))
            sum += launch.contribution[r][i];
        launch.near[i - before] = sum;
      }
    });
  }
};

}  // namespace nearfar

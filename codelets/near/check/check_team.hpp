// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/fmm/fmm_p2p/pair_sum.hpp"
#include "codelets/near/check/check.hpp"

namespace nearfar {

/// Pointers of a Check task, and of one of its source blocks. The points of a block are cut into pieces;
/// work space holds the sums of all pieces of all blocks: [piece][component of a vector][target].
template <class T>
struct CheckLaunch {
  CheckArgs args;
  double const* target = nullptr;
  std::int64_t targets = 0;  ///< and stride
  std::int32_t const* count = nullptr;
  double* sum = nullptr;
  double* part = nullptr;
  T const* position = nullptr;
  T const* strength = nullptr;
  std::int64_t stride = 0;  ///< of the block; it holds at most so many points
  int block = 0, first_piece = 0, pieces = 0;

  static constexpr int points_of_piece = 512;
  static int pieces_for(std::int64_t points) { return int((points + points_of_piece - 1) / points_of_piece); }
};

/// What the threads of a GPU block do for some targets and one piece of a
/// source block: each target has several threads, which take sources in turn. `Inverse` as in PairSum: it has nothing,
/// or the softening.
template <class K, class T, class Inverse = InverseDistance<Lanes<double>>>
struct CheckTeam {
  using Sum = PairSum<double, 1, K>;
  using Pair = typename K::Bare;
  static constexpr int targets = 32, slices = 4, threads = targets * slices;
  static constexpr int memory_size = K::results * threads;
  struct State {
    Sum sum;
  };

  NEARFAR_FUNCTION static int groups(CheckLaunch<T> const& launch) {
    return int((launch.targets + targets - 1) / targets);
  }
  NEARFAR_FUNCTION static int blocks(CheckLaunch<T> const& launch) {
    return launch.pieces * groups(launch) * launch.args.vectors;
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CheckLaunch<T> const& launch, int block, double* memory) {
    CheckArgs const& args = launch.args;
    int const piece = block % launch.pieces, group = block / launch.pieces % groups(launch),
              vector = block / launch.pieces / groups(launch), count = launch.count[launch.block];
    int const begin = piece * CheckLaunch<T>::points_of_piece, room = CheckLaunch<T>::points_of_piece,
              points = count - begin < 0 ? 0 : (count - begin < room ? count - begin : room);
    Inverse inverse{};
    if constexpr (requires { inverse.softening_squared; }) inverse.softening_squared = args.softening_squared;
    T const* const strength = launch.strength + vector * std::int64_t(K::strengths) * launch.stride;
    team.step([&](int t, State& s) {
      int const j = group * targets + t % targets, slice = t / targets, n = args.images;
      int const first = begin + points * slice / slices, last = begin + points * (slice + 1) / slices;
      s.sum.begin(launch.target, launch.targets, j, int(launch.targets));
      for (int x = -n; x <= n; ++x)
        for (int y = -n; y <= n; ++y)
          for (int z = -n; z <= n; ++z) {
            double const shift[3] = {args.edge * args.aspect[0] * x, args.edge * args.aspect[1] * y,
                                     args.edge * args.aspect[2] * z};
            s.sum.add(launch.position, strength, launch.stride, first, last, shift, inverse);
          }
      for (int m = 0; m < K::results; ++m) memory[m * threads + t] = s.sum.u[0][m];
    });
    team.step([&](int t, State&) {
      for (int i = t; i < K::results * targets; i += threads) {
        int const m = i / targets, j = group * targets + i % targets;
        if (j >= launch.targets) continue;
        double total = 0;
        for (int slice = 0; slice < slices; ++slice) total += memory[m * threads + slice * targets + i % targets];
        int const row = (launch.first_piece + piece) * args.vectors + vector;
        launch.part[(std::int64_t(row) * K::results + m) * launch.targets + j] = total;
      }
    });
  }
};

/// The next step: adds the pieces of all blocks in order.
template <class T>
struct CheckGatherTeam {
  static constexpr int width = 16, lines = 16, threads = width * lines, memory_size = threads;
  using State = NoState;

  NEARFAR_FUNCTION static int blocks(std::int64_t numbers) { return int((numbers + width - 1) / width); }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CheckLaunch<T> const& launch, std::int64_t numbers, int block,
                                   double* memory) {
    team.step([&](int t, State&) {
      std::int64_t const i = std::int64_t(block) * width + t % width;
      double total = 0;
      for (int piece = t / width; i < numbers && piece < launch.pieces; piece += lines)
        total += launch.part[piece * numbers + i];
      memory[t] = total;
    });
    team.step([&](int t, State&) {
      std::int64_t const i = std::int64_t(block) * width + t;
      if (t >= width || i >= numbers) return;
      double total = 0;
      for (int line = 0; line < lines; ++line) total += memory[line * width + t];
      launch.sum[i] = total;
    });
  }
};

}  // namespace nearfar

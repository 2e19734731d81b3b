// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "codelets/fmm/l2p/harmonic_sums.hpp"
#include "codelets/fmm/leaf_pieces.hpp"

namespace nearfar {

/// Pointers of an M2P task.
template <class T>
struct M2PLaunch {
  M2PArgs args;
  Leaf const* leaf = nullptr;
  std::int32_t const* table = nullptr;
  T const* position = nullptr;
  T* out = nullptr;
  std::int64_t stride = 0;
  int leaves = 0;
  int row = 0;  ///< numbers of a target

  template <class Buffers>
  static M2PLaunch of(Buffers const& b, M2PArgs const& args) {
    return {args,
            b.template get<Leaf const>(0),
            b.template get<std::int32_t const>(1),
            b.template get<T const>(2),
            b.template get<T>(4),
            b.template size<T>(2) / 3,
            int(b.template size<Leaf>(0)),
            row_of_results<T>(b, 2, 4, args.vectors)};
  }
};

/// What the threads of a GPU block do for one piece of a leaf and vector of charges
/// (codelets/common/gpu/gpu_team.hpp): the boxes of the leaf's list one after another.
template <class E, class T>
struct M2PTeam {
  using Sums = HarmonicSums<E, T, true>;
  static constexpr int threads = Sums::threads, values = E::values, results = E::results,
                       memory_size = Sums::memory_size;

  struct State {
    T x[3], sum[values], total[results];
  };

  NEARFAR_FUNCTION static int blocks(M2PLaunch<T> const& launch) {
    return max_pieces(launch.leaves, int(launch.stride), threads) * launch.args.vectors;
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, M2PLaunch<T> const& launch, LaunchList<T const*> const& multipoles,
                                   int block, T* memory) {
    M2PArgs const& args = launch.args;
    LeafPiece const piece = leaf_piece(launch.leaf, launch.leaves, threads, block / args.vectors);
    if (piece.first == piece.last) return;
    int const v = block % args.vectors, first = piece.first, count = piece.last - first,
              expansion = expansion_stride<T>(args.order);
    PairTable<FarBox> const table(launch.table);
    Range const range = table.range(piece.leaf);
    team.step([&](int t, State& s) {
      for (T& total : s.total) total = T(0);
      for (int d = 0; t < count && d < 3; ++d) s.x[d] = launch.position[d * launch.stride + first + t];
    });
    for (int k = range.first; k < range.first + range.count; ++k) {
      FarBox const box = table.item(k);
      if (!multipoles.has(box.buffer)) continue;
      double half = -args.corner;
      for (int l = 0; l < box.level; ++l) half *= 0.5;
      T centre[3];
      box_centre(args.corner, half, args.aspect, box.at, centre);
      T const* const from = multipoles[box.buffer] + (std::int64_t(box.local) * args.vectors + v) * E::rhs * expansion;
      T const inverse_half = T(1) / T(half);
      Sums::sum(team, args.order, from, count, memory, [&](State const& s, T* y) {
        for (int d = 0; d < 3; ++d) y[d] = (s.x[d] - centre[d]) * inverse_half;
      });
      team.step([&](int t, State& s) {
        if (t >= count) return;
        T out[results];
        E::combine(s.sum, s.x, inverse_half, out);
        for (int m = 0; m < results; ++m) s.total[m] += out[m];
      });
    }
    team.step([&](int t, State& s) {
      if (t >= count) return;
      for (int m = 0; m < results; ++m) {
        if (m >= launch.row) continue;
        T* const out = launch.out + (v * launch.row + m) * launch.stride + first + t;
        *out = multipoles.first > 0 ? *out + s.total[m] : s.total[m];
      }
    });
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/l2p/harmonic_sums.hpp"
#include "codelets/fmm/leaf_launch.hpp"

namespace nearfar {

template <class T>
struct L2PLaunch : LeafLaunch<T, L2PArgs> {
  int row = 0;  ///< numbers of a target

  template <class Buffers>
  static L2PLaunch of(Buffers const& b, L2PArgs const& args) {
    return {LeafLaunch<T, L2PArgs>::of(b, args), row_of_results<T>(b, 1, 3, args.vectors)};
  }
};

/// What the threads of a GPU block do for one piece of a leaf and vector of charges
/// (codelets/common/gpu/gpu_team.hpp).
template <class E, class T>
struct L2PTeam {
  using Sums = HarmonicSums<E, T, false>;
  static constexpr int threads = Sums::threads, values = E::values, results = E::results,
                       memory_size = Sums::memory_size;

  struct State {
    T x[3], y[3], sum[values];
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, L2PLaunch<T> const& launch, int block, T* memory) {
    L2PArgs const& args = launch.args;
    LeafPiece const piece = leaf_piece(launch.leaf, launch.leaves, threads, block / args.vectors);
    if (piece.first == piece.last) return;
    int const i = piece.leaf, v = block % args.vectors, first = piece.first, count = piece.last - first;
    Leaf const leaf = launch.leaf[i];
    T centre[3];
    box_centre(args.corner, args.half, args.aspect, leaf.at, centre);
    T const inverse_half = T(1) / T(args.half);
    T const* const local = launch.in + (std::int64_t(i) * args.vectors + v) * E::rhs * expansion_stride<T>(args.order);
    Sums::prepare(team, args.order, memory);
    team.step([&](int t, State& s) {
      if (t >= count) return;
      for (int d = 0; d < 3; ++d) {
        s.x[d] = launch.position[d * launch.stride + first + t];
        s.y[d] = (s.x[d] - centre[d]) * inverse_half;
      }
      for (T& sum : s.sum) sum = T(0);
    });
    Sums::sum(team, args.order, local, count, memory, [](State const& s, T* y) {
      for (int d = 0; d < 3; ++d) y[d] = s.y[d];
    });
    team.step([&](int t, State& s) {
      if (t >= count) return;
      T out[results];
      E::combine(s.sum, s.x, inverse_half, out);
      for (int k = 0; k < results; ++k)
        if (k < launch.row) launch.out[(v * launch.row + k) * launch.stride + first + t] = out[k];
    });
  }
};

}  // namespace nearfar

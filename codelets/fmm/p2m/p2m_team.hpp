// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/fmm/leaf_launch.hpp"
#include "codelets/fmm/p2m/moments_team.hpp"
#include "core/fmm/harmonics.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class T>
struct P2MLaunch : LeafLaunch<T, P2MArgs> {
  static constexpr int piece = 64;  ///< the most points that a block of threads takes
  T* part = nullptr;                ///< multipoles of the pieces, for leaves with several
  int points = 8;                   ///< whose harmonics are in shared memory at once

  int pieces() const { return LeafLaunch<T, P2MArgs>::pieces(piece); }
  /// Numbers in a leaf's multipoles.
  template <class Sums>
  NEARFAR_FUNCTION int size() const {
    return this->args.vectors * Sums::rhs * expansion_stride<T>(this->args.order);
  }
};

/// What the threads of a GPU block do for one piece of a leaf, right-hand side and vector
/// of charges (codelets/common/gpu/gpu_team.hpp): harmonics of some points go to shared memory,
/// then each thread adds over the points for its coefficients, `Slots` for each thread.
template <class Sums, int Slots, class T>
struct P2MTeam {
  using Moments = MomentsTeam<Sums, Slots, T, false>;
  static constexpr int threads = Moments::threads, weights = Moments::weights;
  static constexpr int resident = 3;  ///< blocks on a multiprocessor

  /// Numbers of T that threads share. A row of points is one longer, so that neighbours are in different banks.
  NEARFAR_FUNCTION static int memory_size(int order, int points) {
    return pair_count(order) + (Sums::weights + coefficient_count(order)) * (points + 1);
  }
  /// As many points at once as leave room for four blocks, but 16 rather than 8 if they fit at all.
  static int points_at_once(int order, std::size_t bytes) {
    constexpr std::size_t of_four = 48 << 10, most = 64 << 10;
    int points = 32;
    auto const fits = [&](std::size_t room) {
      return sizeof(T) * std::size_t(memory_size(order, points)) <= (room < bytes ? room : bytes);
    };
    while (points > 8 && !fits(points > 16 ? of_four : most)) points /= 2;
    return points;
  }

  struct State {
    T sum[Slots][weights];
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, P2MLaunch<T> const& launch, int block, T* memory) {
    P2MArgs const& args = launch.args;
    int const r = block % Sums::rhs, v = block / Sums::rhs % args.vectors, number = block / Sums::rhs / args.vectors;
    LeafPiece const piece = leaf_piece(launch.leaf, launch.leaves, launch.piece, number);
    if (piece.pieces == 0) return;
    int const order = args.order, coefficients = coefficient_count(order), stride = expansion_stride<T>(order);
    int const points = launch.points, row = points + 1;
    T *const factor = memory, *const weight = factor + pair_count(order),
             *const harmonic = weight + Sums::weights * row;
    T* const out = (piece.pieces == 1 ? launch.out + std::int64_t(piece.leaf) * launch.template size<Sums>()
                                      : launch.part + std::int64_t(number) * launch.template size<Sums>()) +
                   (v * Sums::rhs + r) * stride;
    T const* const strength = launch.in + v * Sums::strengths * launch.stride;
    Leaf const leaf = launch.leaf[piece.leaf];
    T centre[3];
    box_centre(args.corner, args.half, args.aspect, leaf.at, centre);
    T const inverse_half = T(1) / T(args.half);
    team.step([&](int t, State&) {
      for (int k = t; k < pair_count(order); k += threads) {
        auto const [n, m] = pair_at(k);
        factor[k] = regular_factor<T>(n, m);
      }
    });
    team.step([&](int, State& s) {
      for (auto& slot : s.sum)
        for (T& sum : slot) sum = T(0);
    });
    for (int first = piece.first; first < piece.last; first += points) {
      int const count = piece.last - first < points ? piece.last - first : points;
      team.step([&](int t, State&) {
        int const j = t % points;
        if (j >= count) return;
        T y[3], x[3];
        for (int d = 0; d < 3; ++d) {
          y[d] = launch.position[d * launch.stride + first + j];
          x[d] = (y[d] - centre[d]) * inverse_half;
        }
        if (t < points) {
          T f[Sums::strengths], w[Sums::weights];
          for (int m = 0; m < Sums::strengths; ++m) f[m] = strength[m * launch.stride + first + j];
          Sums::weigh(f, y, inverse_half, w);
          for (int k = 0; k < Sums::weights; ++k) weight[k * row + j] = w[k];
        }
        visit_regular_harmonics(order, t / points, threads / points, x[0], x[1], x[2], factor,
                                [&](int n, int m, T re, T im) {
                                  harmonic[real_index(n, m) * row + j] = re;
                                  if (m > 0) harmonic[imag_index(n, m) * row + j] = im;
                                });
      });
      team.step([&](int t, State& s) {
        int of_slot[Slots], of_weight[weights];
        for (int slot = 0; slot < Slots; ++slot) {
          int const c = t + slot * threads;
          of_slot[slot] = (c < coefficients ? c : coefficients - 1) * row;
        }
        for (int k = 0; k < weights; ++k) of_weight[k] = Moments::weight_of(r, k) * row;
        NEARFAR_DEVICE_UNROLL(2)
        for (int j = 0; j < count; ++j) {
          T w[weights];
          for (int k = 0; k < weights; ++k) w[k] = weight[of_weight[k] + j];
          NEARFAR_DEVICE_UNROLL(Slots)
          for (int slot = 0; slot < Slots; ++slot) {
            T const h = harmonic[of_slot[slot] + j];
            for (int k = 0; k < weights; ++k) s.sum[slot][k] += w[k] * h;
          }
        }
      });
    }
    Moments::template finish<false>(team, order, harmonic, out);
  }
};

/// The next step: what a block does with the multipoles of the pieces of a leaf.
template <class Sums, class T>
struct P2MGatherTeam {
  static constexpr int threads = 128, memory_size = 1;
  using State = NoState;

  NEARFAR_FUNCTION static int blocks_per_leaf(P2MLaunch<T> const& launch) {
    return (launch.template size<Sums>() + threads - 1) / threads;
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, P2MLaunch<T> const& launch, int block, T*) {
    int const width = blocks_per_leaf(launch), i = block / width, size = launch.template size<Sums>();
    int const pieces = pieces_of(launch.leaf[i], launch.piece);
    if (pieces == 1) return;
    T const* const part = launch.part + std::int64_t(first_piece(launch.leaf, i, launch.piece)) * size;
    team.step([&](int t, State&) {
      int const c = block % width * threads + t;
      if (c >= size) return;
      T total = T(0);
      for (int k = 0; k < pieces; ++k) total += part[std::int64_t(k) * size + c];
      launch.out[std::int64_t(i) * size + c] = total;
    });
  }
};

}  // namespace nearfar

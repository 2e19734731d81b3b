// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/derivatives.hpp"
#include "core/fmm/packed.hpp"

namespace nearfar {

/// What the threads of a GPU block do with the sums of harmonics by the weights of one right-hand side, each thread
/// with those of `Slots` coefficients (state.sum): they make the expansion. Multipoles come from regular harmonics,
/// locals from irregular ones. `Sums` are those of a kernel.
template <class Sums, int Slots, class T, bool Irregular>
struct MomentsTeam {
  static constexpr int threads = 128;
  static constexpr int weights = (Sums::charges > 0 ? 1 : 0) + (Sums::dipoles > 0 ? 3 : 0);  ///< of a right-hand side

  /// Degree of the harmonics: the moments of dipoles are derivatives, which for irregular ones are of one degree more.
  NEARFAR_FUNCTION static int top(int order) { return Irregular && Sums::dipoles > 0 ? order + 1 : order; }

  /// Index of weight k of right-hand side r among all weights.
  NEARFAR_FUNCTION static int weight_of(int r, int k) {
    if constexpr (Sums::dipoles > 0)
      if (Sums::charges == 0 || k > 0) return Sums::dipole(r, k - (weights - 3));
    return r;
  }

  /// Puts the sums of all threads into shared memory, and adds the expansion to `out`, or overwrites it.
  template <bool Add, class Team>
  NEARFAR_FUNCTION static void finish(Team& team, int order, T* total, T* out) {
    int const coefficients = coefficient_count(top(order)), own = coefficient_count(order);
    team.step([&](int t, auto& s) {
      for (int slot = 0; slot < Slots; ++slot)
        for (int k = 0; k < weights && t + slot * threads < coefficients; ++k)
          total[k * coefficients + t + slot * threads] = s.sum[slot][k];
    });
    team.step([&](int t, auto&) {
      int const end = Add ? own : expansion_stride<T>(order);
      for (int c = t; c < end; c += threads) {
        T const charges = Sums::charges > 0 && c < own ? total[c] : T(0);
        if (!Add) out[c] = charges;
        else if (Sums::charges > 0) out[c] += charges;
      }
    });
    if constexpr (Sums::dipoles > 0) {
      constexpr int step = Irregular ? 1 : -1;
      T const* const x = total + (weights - 3) * coefficients;
      PackedParts<T> const parts[3] = {
          {x, order + step}, {x + coefficients, order + step}, {x + 2 * coefficients, order + step}};
      team.step([&](int t, auto&) {
        for (int k = t; k < pair_count(order); k += threads) {
          auto const [n, m] = pair_at(k);
          add_dipole_parts(step, parts[0], parts[1], parts[2], n, m, out);
        }
      });
    }
  }
};

}  // namespace nearfar

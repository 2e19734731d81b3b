// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "core/fmm/packed.hpp"

namespace nearfar {

/// Pointers of a Lattice task.
template <class T>
struct LatticeLaunch {
  LatticeArgs args;
  double const* sums = nullptr;
  T const* multipole = nullptr;
  T* local = nullptr;

  template <class Buffers>
  static LatticeLaunch of(Buffers const& b, LatticeArgs const& args) {
    return {args, b.template get<double const>(0), b.template get<T const>(1), b.template get<T>(2)};
  }
};

/// What the threads of a GPU block do for some coefficients of one right-hand side (codelets/common/gpu/gpu_team.hpp):
/// multipole_to_local_with (core/fmm/direct_shift.hpp), one thread for each coefficient.
template <class T>
struct LatticeTeam {
  static constexpr int threads = 64, memory_size = coefficient_count(max_fmm_order);
  using State = NoState;

  NEARFAR_FUNCTION static int blocks_per_expansion(LatticeArgs const& args) {
    return (pair_count(args.order) + threads - 1) / threads;
  }
  NEARFAR_FUNCTION static int blocks(LatticeArgs const& args) { return args.rhs * blocks_per_expansion(args); }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, LatticeLaunch<T> const& launch, int block, T* multipole) {
    int const order = launch.args.order, each = blocks_per_expansion(launch.args), stride = expansion_stride<T>(order),
              coefficients = coefficient_count(order), part = block % each;
    std::int64_t const first = std::int64_t(block / each) * stride;
    team.step([&](int t, NoState&) {
      for (int c = t; c < coefficients; c += threads) multipole[c] = launch.multipole[first + c];
    });
    team.step([&](int t, NoState&) {
      T* const out = launch.local + first;
      int const pair = part * threads + t;
      if (part == 0)
        for (int c = coefficients + t; c < stride; c += threads) out[c] = T(0);
      if (pair >= pair_count(order)) return;
      auto const [j, i] = pair_at(pair);
      double re = 0, im = 0;
      for (int k = 0; k <= order; ++k)
        for (int l = -k; l <= k; ++l) {
          auto const a = coefficient(multipole, k, l);
          auto const b = coefficient(launch.sums, j + k, i + l);
          re += a.re * b.re + a.im * b.im;  // conj(a) b
          im += a.re * b.im - a.im * b.re;
        }
      double const sign = j % 2 == 0 ? 1 : -1;
      out[real_index(j, i)] = T(sign * re);
      if (i > 0) out[imag_index(j, i)] = T(sign * im);
    });
  }

 private:
  struct Coefficient {
    double re, im;
  };
  /// As in core/fmm/complex_view.hpp.
  template <class Number>
  NEARFAR_FUNCTION static Coefficient coefficient(Number const* packed, int n, int m) {
    int const k = m < 0 ? -m : m;
    if (k > n) return {0, 0};
    if (k == 0) return {double(packed[n * n]), 0};
    double const re = packed[real_index(n, k)], im = packed[imag_index(n, k)];
    if (m > 0) return {re, im};
    return k % 2 == 0 ? Coefficient{re, -im} : Coefficient{-re, im};
  }
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"

#include <cstdint>

namespace nearfar {

/// Points whose pairs are summed: each is a target and a source, and contributes nothing to itself
/// or to points at the same place. Arrays hold one component after another, `count` numbers each.
template <class T>
struct PairSet {
  std::int64_t count;
  T const* position;
  T const* strength;
  T* result;
};

/// a where r2 > 0, else b.
template <class V>
struct Apart {
  NEARFAR_FUNCTION static V choose(V r2, V a, V b) { return r2 > V(0) ? a : b; }
};

/// The sums at one target, or at a batch of targets; also what Kokkos adds up.
template <class F, class V>
struct PairSums {
  V at[F::results];

  NEARFAR_FUNCTION PairSums() {
    for (int m = 0; m < F::results; ++m) at[m] = V(0);
  }
  NEARFAR_FUNCTION PairSums& operator+=(PairSums const& other) {
    for (int m = 0; m < F::results; ++m) at[m] = at[m] + other.at[m];
    return *this;
  }
  /// Kokkos < 4 joins through volatile references.
  NEARFAR_FUNCTION void operator+=(PairSums const volatile& other) volatile {
    for (int m = 0; m < F::results; ++m) at[m] = at[m] + other.at[m];
  }

  /// Adds what a source at y contributes to x. Pair functions are linear in the strength:
  /// for two points at one place it is set to 0, and the distance to some number.
  template <class Function, class T>
  NEARFAR_FUNCTION void add(Function const& function, V const* x, T const* y, T const* strength) {
    V r[F::dimensions], f[F::strengths], r2(T(0));
    for (int d = 0; d < F::dimensions; ++d) {
      r[d] = x[d] - V(y[d]);
      r2 = r2 + r[d] * r[d];
    }
    for (int m = 0; m < F::strengths; ++m) f[m] = Apart<V>::choose(r2, V(strength[m]), V(T(0)));
    V const inverse = Lanes<V>::inverse_root(r2);
    function(r, Apart<V>::choose(r2, r2, V(T(1))), inverse, f, at);
  }
};

/// Component by component, into a row.
template <int N, class From, class T>
NEARFAR_FUNCTION void load_row(From const* from, std::int64_t count, std::int64_t i, T* row) {
  for (int m = 0; m < N; ++m) row[m] = from[m * count + i];
}

/// Adds source j to the sums of a target at x.
template <class F, class T>
NEARFAR_FUNCTION void add_source(F const& function, PairSet<T> const& set, T const* x, std::int64_t j,
                                 PairSums<F, T>& sums) {
  T y[F::dimensions], f[F::strengths];
  load_row<F::dimensions>(set.position, set.count, j, y);
  load_row<F::strengths>(set.strength, set.count, j, f);
  sums.add(function, x, y, f);
}

/// Position of a target.
template <class F, class T>
struct PairTarget {
  T at[F::dimensions];

  NEARFAR_FUNCTION PairTarget(PairSet<T> const& set, std::int64_t i) {
    load_row<F::dimensions>(set.position, set.count, i, at);
  }
};

template <class F, class T>
NEARFAR_FUNCTION void put_sums(PairSet<T> const& set, std::int64_t i, PairSums<F, T> const& sums) {
  for (int m = 0; m < F::results; ++m) set.result[m * set.count + i] = sums.at[m];
}

/// The whole sum at one target.
template <class F, class T>
NEARFAR_FUNCTION void sum_at_target(F const& function, PairSet<T> const& set, std::int64_t i) {
  PairTarget<F, T> const target(set, i);
  PairSums<F, T> sums;
  for (std::int64_t j = 0; j < set.count; ++j) add_source(function, set, target.at, j, sums);
  put_sums(set, i, sums);
}

}  // namespace nearfar

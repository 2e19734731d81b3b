// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/kokkos/portable_space.hpp"
#include "codelets/common/simd/lanes.hpp"
#include "codelets/laboratory/pair_set.hpp"

#include <Kokkos_SIMD.hpp>  // of Kokkos >= 4

namespace nearfar {

/// A batch of Kokkos, as wide as the processor for which Kokkos was built, with the
/// functions that pair functions need: Kokkos's own are not in the namespace of its type.
template <class T>
struct KokkosBatch {
#if KOKKOS_VERSION >= 40600
  using Batch = Kokkos::Experimental::simd<T>;
#else
  using Batch = Kokkos::Experimental::native_simd<T>;
#endif
  static constexpr int count = int(Batch::size());

  Batch batch;

  KokkosBatch() = default;
  KokkosBatch(Batch const& of) : batch(of) {}
  template <class Number>
  requires std::is_arithmetic_v<Number>
  explicit KokkosBatch(Number all) : batch(T(all)) {}

  friend KokkosBatch operator+(KokkosBatch const& a, KokkosBatch const& b) { return a.batch + b.batch; }
  friend KokkosBatch operator-(KokkosBatch const& a, KokkosBatch const& b) { return a.batch - b.batch; }
  friend KokkosBatch operator*(KokkosBatch const& a, KokkosBatch const& b) { return a.batch * b.batch; }
  friend KokkosBatch operator/(KokkosBatch const& a, KokkosBatch const& b) { return a.batch / b.batch; }
  friend KokkosBatch exp(KokkosBatch const& a) { return Kokkos::exp(a.batch); }
  friend KokkosBatch log(KokkosBatch const& a) { return Kokkos::log(a.batch); }
  friend KokkosBatch erfc(KokkosBatch const& a) { return Kokkos::erfc(a.batch); }
};

template <class T>
struct Apart<KokkosBatch<T>> {
  using V = KokkosBatch<T>;
  static V choose(V const& r2, V const& a, V const& b) {
    // By <, since > of doubles with AVX-512 had its sides swapped in Kokkos of June 2025.
    return Kokkos::Experimental::condition(V(0).batch < r2.batch, a.batch, b.batch);
  }
};

template <class T>
struct Lanes<KokkosBatch<T>> {
  using V = KokkosBatch<T>;
  static V inverse_root(V const& x) { return Apart<V>::choose(x, V(1) / V(Kokkos::sqrt(x.batch)), V(0)); }
};

/// Batches of targets, and these batches in parallel.
template <class Space, class F, class T>
void pairs_kokkos_simd(PairSet<T> const& set, F const& function) {
  using V = KokkosBatch<T>;
  auto const unaligned = Kokkos::Experimental::element_aligned_tag();
  std::int64_t const batches = (set.count + V::count - 1) / V::count;
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, batches), [=](std::int64_t batch) {
    std::int64_t const first = batch * V::count;
    int const lanes = set.count - first < V::count ? int(set.count - first) : V::count;
    T lane[V::count] = {};
    V x[F::dimensions];
    for (int d = 0; d < F::dimensions; ++d) {
      for (int l = 0; l < lanes; ++l) lane[l] = set.position[d * set.count + first + l];
      x[d].batch.copy_from(lane, unaligned);
    }
    PairSums<F, V> sums;
    for (std::int64_t j = 0; j < set.count; ++j) {
      T y[F::dimensions], f[F::strengths];
      load_row<F::dimensions>(set.position, set.count, j, y);
      load_row<F::strengths>(set.strength, set.count, j, f);
      sums.add(function, x, y, f);
    }
    for (int m = 0; m < F::results; ++m) {
      sums.at[m].batch.copy_to(lane, unaligned);
      for (int l = 0; l < lanes; ++l) set.result[m * set.count + first + l] = lane[l];
    }
  });
  Space().fence();
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/portable.hpp"
#include "codelets/laboratory/pair_set.hpp"

#include <algorithm>

/// Where sums begin: for reductions of Kokkos.
template <class F, class V>
struct Kokkos::reduction_identity<nearfar::PairSums<F, V>> {
  KOKKOS_FORCEINLINE_FUNCTION static nearfar::PairSums<F, V> sum() { return {}; }
};

namespace nearfar {

// The same sums in five ways. F is a pair function (core/kernels/pair_functions.hpp, or a user's). Those of Kokkos run
// on PortableSpace, by the thread that started Kokkos, one at a time.

/// One loop in the other; the others are held against it.
template <class F, class T>
void pairs_sequential(PairSet<T> const& set, F const& function) {
  for (std::int64_t i = 0; i < set.count; ++i) {
    T x[F::dimensions];
    load_row<F::dimensions>(set.position, set.count, i, x);
    PairSums<F, T> sums;
    for (std::int64_t j = 0; j < set.count; ++j) add_source(function, set, x, j, sums);
    put_sums(set, i, sums);
  }
}

/// Targets in parallel.
template <class F, class T>
void pairs_flat_for(PairSet<T> const& set, F const& function) {
  Kokkos::parallel_for(Kokkos::RangePolicy<PortableSpace>(0, set.count), [=](std::int64_t i) {
    T x[F::dimensions];
    load_row<F::dimensions>(set.position, set.count, i, x);
    PairSums<F, T> sums;
    for (std::int64_t j = 0; j < set.count; ++j) add_source(function, set, x, j, sums);
    put_sums(set, i, sums);
  });
  PortableSpace().fence();
}

/// Target by target, its sources in parallel.
template <class F, class T>
void pairs_flat_reduce(PairSet<T> const& set, F const& function) {
  for (std::int64_t i = 0; i < set.count; ++i) {
    struct {
      T at[F::dimensions];
    } x;
    load_row<F::dimensions>(set.position, set.count, i, x.at);
    PairSums<F, T> sums;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<PortableSpace>(0, set.count),
        [=](std::int64_t j, PairSums<F, T>& own) { add_source(function, set, x.at, j, own); }, sums);
    put_sums(set, i, sums);
  }
}

/// A team for each target, whose threads share its sources.
template <class F, class T>
void pairs_nested(PairSet<T> const& set, F const& function) {
  using Policy = Kokkos::TeamPolicy<PortableSpace>;
  Kokkos::parallel_for(Policy(int(set.count), Kokkos::AUTO), [=](typename Policy::member_type const& team) {
    std::int64_t const i = team.league_rank();
    T x[F::dimensions];
    load_row<F::dimensions>(set.position, set.count, i, x);
    PairSums<F, T> sums;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, set.count),
        [&](std::int64_t j, PairSums<F, T>& own) { add_source(function, set, x, j, own); }, sums);
    Kokkos::single(Kokkos::PerTeam(team), [&] { put_sums(set, i, sums); });
  });
  PortableSpace().fence();
}

inline constexpr int pair_tile = 128;  ///< targets of a team, and sources in its scratch memory at a time

/// A team for each tile of targets; it brings tiles of sources into scratch memory, and its threads share the targets.
template <class F, class T>
void pairs_hierarchical(PairSet<T> const& set, F const& function) {
  using Policy = Kokkos::TeamPolicy<PortableSpace>;
  constexpr int numbers = F::dimensions + F::strengths;
  using Tile = Kokkos::View<T* [numbers], Kokkos::LayoutRight, typename PortableSpace::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Sums = Kokkos::View<T * [F::results], Kokkos::LayoutRight, typename PortableSpace::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  int const tiles = int((set.count + pair_tile - 1) / pair_tile);
  auto policy = Policy(tiles, Kokkos::AUTO);
  policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(pair_tile) + Sums::shmem_size(pair_tile)));
  Kokkos::parallel_for(policy, [=](typename Policy::member_type const& team) {
    Tile const tile(team.team_scratch(0), pair_tile);
    Sums const sum(team.team_scratch(0), pair_tile);
    std::int64_t const first = std::int64_t(team.league_rank()) * pair_tile;
    int const targets = int(std::min<std::int64_t>(pair_tile, set.count - first));
    for (std::int64_t from = 0; from < set.count; from += pair_tile) {
      int const sources = int(std::min<std::int64_t>(pair_tile, set.count - from));
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, sources), [&](int j) {
        load_row<F::dimensions>(set.position, set.count, from + j, &tile(j, 0));
        load_row<F::strengths>(set.strength, set.count, from + j, &tile(j, F::dimensions));
      });
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, targets), [&](int i) {
        T x[F::dimensions];
        load_row<F::dimensions>(set.position, set.count, first + i, x);
        PairSums<F, T> sums;
        for (int j = 0; j < sources; ++j) sums.add(function, x, &tile(j, 0), &tile(j, F::dimensions));
        for (int m = 0; m < F::results; ++m) sum(i, m) = from == 0 ? sums.at[m] : sum(i, m) + sums.at[m];
      });
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, targets), [&](int i) {
      for (int m = 0; m < F::results; ++m) set.result[m * set.count + first + i] = sum(i, m);
    });
  });
  PortableSpace().fence();
}

}  // namespace nearfar

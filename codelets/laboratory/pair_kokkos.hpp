// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/kokkos/portable_space.hpp"
#include "codelets/laboratory/pair_set.hpp"

/// Initial value of sums, for reductions of Kokkos.
template <class F, class V>
struct Kokkos::reduction_identity<nearfar::PairSums<F, V>> {
  KOKKOS_FORCEINLINE_FUNCTION static nearfar::PairSums<F, V> sum() { return {}; }
};

namespace nearfar {

// The same sums in the ways that Kokkos offers, on any of its execution spaces. F is a pair function
// (core/kernels/pairs/pair_functions.hpp, or a user's). One at a time, called by the thread that started Kokkos.

/// Points and results in memory that Space can access: a copy, unless that is host memory.
template <class Space, class F, class T>
class PairViews {
 public:
  explicit PairViews(PairSet<T> const& host)
      : host_result_(host.result, size(host, F::results)), position_(brought(host.position, size(host, F::dimensions))),
        strength_(brought(host.strength, size(host, F::strengths))),
        result_(Kokkos::create_mirror_view(Space(), host_result_)), count_(host.count) {}

  PairSet<T> set() const { return {count_, position_.data(), strength_.data(), result_.data()}; }
  /// Waits for running kernels and copies the results to the host.
  void finish() const {
    Space().fence();
    Kokkos::deep_copy(host_result_, result_);
  }

 private:
  template <class Number>
  using HostView = Kokkos::View<Number*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  static std::size_t size(PairSet<T> const& set, int numbers) { return std::size_t(set.count) * std::size_t(numbers); }
  static auto brought(T const* numbers, std::size_t size) {
    return Kokkos::create_mirror_view_and_copy(Space(), HostView<T const>(numbers, size));
  }

  HostView<T> host_result_;
  decltype(brought(nullptr, 0)) position_, strength_;
  decltype(Kokkos::create_mirror_view(Space(), HostView<T>())) result_;
  std::int64_t count_;
};

/// Targets in parallel.
template <class Space, class F, class T>
void pairs_flat_for(PairSet<T> const& host, F const& function) {
  PairViews<Space, F, T> const views(host);
  auto const set = views.set();
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, set.count), KOKKOS_LAMBDA(std::int64_t i) { sum_at_target(function, set, i); });
  views.finish();
}

/// Target by target, its sources in parallel.
template <class Space, class F, class T>
void pairs_flat_reduce(PairSet<T> const& host, F const& function) {
  PairViews<Space, F, T> const views(host);
  auto const set = views.set();
  for (std::int64_t i = 0; i < set.count; ++i) {
    PairTarget<F, T> const target(host, i);
    PairSums<F, T> sums;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Space>(0, set.count),
        KOKKOS_LAMBDA(std::int64_t j, PairSums<F, T> & own) { add_source(function, set, target.at, j, own); }, sums);
    put_sums(host, i, sums);
  }
}

/// A team for each target, whose threads share its sources.
template <class Space, class F, class T>
void pairs_nested(PairSet<T> const& host, F const& function) {
  PairViews<Space, F, T> const views(host);
  auto const set = views.set();
  using Policy = Kokkos::TeamPolicy<Space>;
  Kokkos::parallel_for(
      Policy(int(set.count), Kokkos::AUTO), KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const i = team.league_rank();
        PairTarget<F, T> const target(set, i);
        PairSums<F, T> sums;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, set.count),
            [&](std::int64_t j, PairSums<F, T>& own) { add_source(function, set, target.at, j, own); }, sums);
        Kokkos::single(Kokkos::PerTeam(team), [&] { put_sums(set, i, sums); });
      });
  views.finish();
}

inline constexpr int pair_tile = 128;  ///< targets of a team, and sources in its scratch memory at a time

/// A team for each tile of targets; it copies tiles of sources to scratch memory, and its threads share the targets.
template <class Space, class F, class T>
void pairs_hierarchical(PairSet<T> const& host, F const& function) {
  PairViews<Space, F, T> const views(host);
  auto const set = views.set();
  using Policy = Kokkos::TeamPolicy<Space>;
  using Traits = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  constexpr int numbers = F::dimensions + F::strengths;
  using Tile = Kokkos::View<T* [numbers], Kokkos::LayoutRight, typename Space::scratch_memory_space, Traits>;
  using Sums = Kokkos::View<T * [F::results], Kokkos::LayoutRight, typename Space::scratch_memory_space, Traits>;
  int const tiles = int((set.count + pair_tile - 1) / pair_tile);
  auto policy = Policy(tiles, Kokkos::AUTO);
  policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(pair_tile) + Sums::shmem_size(pair_tile)));
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        Tile const tile(team.team_scratch(0), pair_tile);
        Sums const sum(team.team_scratch(0), pair_tile);
        std::int64_t const first = std::int64_t(team.league_rank()) * pair_tile;
        int const targets = int(set.count - first < pair_tile ? set.count - first : pair_tile);
        for (std::int64_t from = 0; from < set.count; from += pair_tile) {
          int const sources = int(set.count - from < pair_tile ? set.count - from : pair_tile);
          team.team_barrier();
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, sources), [&](int j) {
            load_row<F::dimensions>(set.position, set.count, from + j, &tile(j, 0));
            load_row<F::strengths>(set.strength, set.count, from + j, &tile(j, F::dimensions));
          });
          team.team_barrier();
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, targets), [&](int i) {
            PairTarget<F, T> const target(set, first + i);
            PairSums<F, T> sums;
            for (int j = 0; j < sources; ++j) sums.add(function, target.at, &tile(j, 0), &tile(j, F::dimensions));
            for (int m = 0; m < F::results; ++m) sum(i, m) = from == 0 ? sums.at[m] : sum(i, m) + sums.at[m];
          });
        }
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, targets), [&](int i) {
          for (int m = 0; m < F::results; ++m) set.result[m * set.count + first + i] = sum(i, m);
        });
      });
  views.finish();
}

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell_team.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_mixed_team.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_team.hpp"
#include "codelets/fmm/l2p/l2p.hpp"
#include "codelets/fmm/l2p/l2p_team.hpp"
#include "codelets/fmm/l2p/m2p_team.hpp"
#include "codelets/fmm/lattice/lattice.hpp"
#include "codelets/fmm/lattice/lattice_team.hpp"
#include "codelets/fmm/p2m/p2l_team.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "codelets/fmm/p2m/p2m_team.hpp"
#include "codelets/fmm/translate/dense_gather_team.hpp"
#include "codelets/fmm/translate/target_team.hpp"
#include "codelets/fmm/translate/translate.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/host_team.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace nearfar::test {

template <class Program, class T, class Launch>
void run_leaves(Launch const& launch, int blocks) {
  auto memory = unset<T>(std::size_t(Program::memory_size));
  HostTeam<typename Program::State> team(Program::threads);
  for (int block = 0; block < blocks; ++block) Program::run(team, launch, block, memory.data());
}

/// What the launchers of the .cu files do, on the host, with small work space and short lists of buffers.
template <class S>
struct HostBlocks;

template <class T, class Sums>
struct HostBlocks<P2M<T, Sums>> {
  static void run(Buffers const& b, P2MArgs const& args) {
    P2MLaunch<T> launch{P2MLaunch<T>::of(b, args)};
    auto part = unset<T>(std::size_t(launch.pieces() * launch.template size<Sums>()));
    launch.part = part.data();
    int const blocks = launch.pieces() * args.vectors * Sums::rhs;
    if (coefficient_count(args.order) <= P2MTeam<Sums, 1, T>::threads) run_pieces<P2MTeam<Sums, 1, T>>(launch, blocks);
    else run_pieces<P2MTeam<Sums, 8, T>>(launch, blocks);
    using Gather = P2MGatherTeam<Sums, T>;
    run_leaves<Gather, T>(launch, launch.leaves * Gather::blocks_per_leaf(launch));
  }
  template <class Program>
  static void run_pieces(P2MLaunch<T>& launch, int blocks) {
    launch.points = Program::points_at_once(launch.args.order, 64 << 10);
    auto memory = unset<T>(std::size_t(Program::memory_size(launch.args.order, launch.points)));
    HostTeam<typename Program::State> team(Program::threads);
    for (int block = 0; block < blocks; ++block) Program::run(team, launch, block, memory.data());
  }
};

template <class T, class E>
struct HostBlocks<L2P<T, E>> {
  static void run(Buffers const& b, L2PArgs const& args) {
    auto const launch = L2PLaunch<T>::of(b, args);
    run_leaves<L2PTeam<E, T>, T>(launch, launch.pieces(L2PTeam<E, T>::threads) * args.vectors);
  }
};

template <class T, class K, class A>
struct HostBlocks<FmmP2P<T, K, A>> {
  static void run(Buffers const& b, FmmP2PArgs const& args) {
    if constexpr (sizeof(A) < sizeof(T)) {
      typename FmmP2PMixedTeam<K>::Memory memory;
      std::memset(static_cast<void*>(&memory), 0xff, sizeof memory);  // numbers that were not set are NaN
      run_with<FmmP2PMixedTeam<K>>(b, args, &memory);
    } else {
      auto memory = unset<T>(std::size_t(FmmP2PTeam<K, T>::memory_size));
      run_with<FmmP2PTeam<K, T>>(b, args, memory.data());
    }
  }
  template <class Program, class Memory>
  static void run_with(Buffers const& b, FmmP2PArgs const& args, Memory* memory) {
    using Gather = FmmP2PGatherTeam<K, T>;
    auto launch = FmmP2PLaunch<T>::of(b, args);
    auto part = unset<T>(std::size_t(launch.template part_size<K>()));
    launch.part = part.data();
    HostTeam<typename Program::State> team(Program::threads);
    HostTeam<NoState> gatherers(Gather::threads);
    in_lists_of<PairSources<T>>(
        5, b.items<LeafSources>(3), [&](int i) { return PairSources<T>::of(b, 3, i); },
        [&](auto const& sources) {
          for (int i = 0; i < launch.blocks(); ++i) Program::run(team, launch, sources, i, memory);
          for (int i = 0; i < launch.leaves; ++i)
            Gather::run(gatherers, launch, sources.first > 0, i, static_cast<T*>(nullptr));
        });
  }
};

template <class T, class Sums>
struct HostBlocks<P2L<T, Sums>> {
  static void run(Buffers const& b, P2LArgs const& args) {
    if (coefficient_count(args.order + 1) <= P2LTeam<Sums, 1, T>::threads) run_with<P2LTeam<Sums, 1, T>>(b, args);
    else run_with<P2LTeam<Sums, 8, T>>(b, args);
  }
  template <class Program>
  static void run_with(Buffers const& b, P2LArgs const& args) {
    auto const launch = P2LLaunch<T>::of(b, args);
    auto memory = unset<T>(std::size_t(Program::memory_size));
    HostTeam<typename Program::State> team(Program::threads);
    in_lists_of<PairSources<T>>(
        5, b.items<LeafSources>(2), [&](int i) { return PairSources<T>::of(b, 2, i); },
        [&](auto const& sources) {
          for (int i = 0; i < Program::blocks(launch); ++i) Program::run(team, launch, sources, i, memory.data());
        });
  }
};

template <class T, class E>
struct HostBlocks<M2P<T, E>> {
  static void run(Buffers const& b, M2PArgs const& args) {
    using Program = M2PTeam<E, T>;
    auto const launch = M2PLaunch<T>::of(b, args);
    auto memory = unset<T>(std::size_t(Program::memory_size));
    HostTeam<typename Program::State> team(Program::threads);
    in_lists_of<T const*>(
        5, b.count(3), [&](int i) { return b.get<T const>(3, i); },
        [&](auto const& multipoles) {
          for (int i = 0; i < Program::blocks(launch); ++i) Program::run(team, launch, multipoles, i, memory.data());
        });
  }
};

template <class T>
struct HostBlocks<Lattice<T>> {
  static void run(Buffers const& b, LatticeArgs const& args) {
    run_leaves<LatticeTeam<T>, T>(LatticeLaunch<T>::of(b, args), LatticeTeam<T>::blocks(args));
  }
};

template <class T, int G>
struct HostBlocks<CellField<T, G>> {
  static void run(Buffers const& b, CellFieldArgs const& args) {
    using Program = CellFieldTeam<G, T>;
    auto const launch = CellFieldLaunch<T>::of(b, args);
    run_leaves<Program, T>(launch, Program::blocks_per_vector(launch) * args.vectors);
  }
};

template <class T>
void translate_on_host(Shift shift, Buffers const& b, int order, int rhs, int separation) {
  constexpr int at_once = 333, lanes = 32;
  using Team = ShiftTeam<T, max_fmm_order, true>;
  auto launch = TranslateLaunch<T>::of(shift, b, order, rhs, separation);
  int const interactions = int((b.size<std::int32_t>(1) - RunTable::head) / 3);
  auto shifted = unset<T>(std::size_t(at_once * rhs * launch.stride()));
  std::vector<std::int32_t> note(std::size_t(launch.targets() * launch.keys), 1);
  launch.shifted = shifted.data();
  launch.note = note.data();
  using Program = TranslateTeam<Team, T>;
  std::vector<double> memory(std::size_t(Program::memory_size(order, lanes)) / sizeof(double) + 1);
  std::vector<double> gather_memory(std::size_t(GatherTeam<T>::memory_size(launch.keys)) / sizeof(double));
  HostTeam<NoState> shifters(Team::threads), gatherers(GatherTeam<T>::threads);
  for (launch.first = 0; launch.first == 0 || launch.first < interactions; launch.first = launch.last) {
    launch.last = std::min(interactions, launch.first + at_once);
    in_lists_of<T const*>(
        7, b.count(2), [&](int i) { return b.get<T const>(2, i); },
        [&](auto const& sources) {
          launch.add = shift == Shift::l2l || launch.first > 0 || sources.first > 0;
          for (int block = 0; block < launch.max_pieces(lanes); ++block)
            Program::run(shifters, launch, sources, lanes, block, memory.data());
          for (int block = 0; block < launch.targets(); ++block)
            GatherTeam<T>::run(gatherers, launch, block, gather_memory.data());
        });
    if (interactions == 0) return;
  }
}
/// M2L by whole matrices.
template <class T>
void translate_dense_on_host(Buffers const& b, M2LArgs const& args) {
  constexpr int at_once = 333, lanes = 32;
  using Program = DenseShiftTeam<T>;
  DenseLaunch<T> launch{TranslateLaunch<T>::of(Shift::m2l, b, args.order, args.rhs, args.separation), args.separation};
  TranslateLaunch<T>& base = launch.base;
  DenseLayout const layout = launch.layout();
  int const interactions = int((b.size<std::int32_t>(1) - RunTable::head) / 3);
  AlignedVector<T> shifted(std::size_t(at_once * args.rhs * layout.width()), T(NAN)),
      matrices(std::size_t(launch.matrix_numbers()), T(NAN));
  std::vector<std::int32_t> note(std::size_t(base.targets() * base.keys), 1);
  base.last = at_once;
  std::vector<DensePiece> pieces(std::size_t(1 + base.max_pieces(lanes)));
  base.shifted = shifted.data();
  base.note = note.data();
  launch.matrices = matrices.data();
  launch.pieces = pieces.data();
  AlignedVector<double> memory(std::size_t(Program::memory_size(layout, lanes)) / sizeof(double) + 1, NAN);
  AlignedVector<double> gather_memory(std::size_t(DenseGatherTeam<T>::memory_size(base.keys)) / sizeof(double) + 1,
                                      NAN);
  typename DensePieceTeam<T>::Memory piece_memory;
  HostTeam<NoState> makers(DenseMatrixTeam<T>::threads), cutters(DensePieceTeam<T>::threads),
      shifters(32 * Program::warps(layout, lanes)), gatherers(DenseGatherTeam<T>::threads);
  for (int block = 0; block < DenseMatrixTeam<T>::blocks(launch); ++block)
    DenseMatrixTeam<T>::run(makers, launch, block, nullptr);
  for (base.first = 0; base.first == 0 || base.first < interactions; base.first = base.last) {
    base.last = std::min(interactions, base.first + at_once);
    for (int block = 0; block < base.keys; ++block)
      DensePieceTeam<T>::run(cutters, launch, lanes, block, &piece_memory);
    in_lists_of<T const*>(
        7, b.count(2), [&](int i) { return b.get<T const>(2, i); },
        [&](auto const& sources) {
          base.add = base.first > 0 || sources.first > 0;
          for (int block = 0; block < base.max_pieces(lanes); ++block)
            Program::run(shifters, launch, sources, lanes, block, memory.data());
          for (int block = 0; block < base.targets(); ++block)
            DenseGatherTeam<T>::run(gatherers, launch, block, gather_memory.data());
        });
    if (interactions == 0) return;
  }
}
/// M2L of low orders, target by target.
template <class T, int order>
void translate_by_targets_on_host(Buffers const& b, M2LArgs const& args) {
  using Program = TargetShiftTeam<T, order>;
  TargetLaunch<T> launch{TranslateLaunch<T>::of(Shift::m2l, b, order, args.rhs, args.separation), args.separation};
  TranslateLaunch<T>& base = launch.base;
  AlignedVector<T> harmonics(std::size_t(launch.numbers()), T(NAN)), memory(Program::memory_size, T(NAN));
  std::vector<std::int32_t> note(std::size_t(base.targets() * base.keys), 1);
  base.last = int((b.size<std::int32_t>(1) - RunTable::head) / 3);
  base.note = note.data();
  launch.harmonics = harmonics.data();
  for (std::int64_t i = 0; i < launch.numbers(); ++i) MakeHarmonic<T>{launch}(i);
  HostTeam<typename Program::State> team(Program::threads);
  in_lists_of<T const*>(
      7, b.count(2), [&](int i) { return b.get<T const>(2, i); },
      [&](auto const& sources) {
        base.add = sources.first > 0;
        for (int i = 0; i < base.last; ++i) NoteInteraction<T>{base}(i);
        for (int block = 0; block < Program::blocks(launch); ++block)
          Program::run(team, launch, sources, block, memory.data());
      });
}
template <class T>
struct HostBlocks<M2M<T>> {
  static void run(Buffers const& b, M2MArgs const& args) {
    translate_on_host<T>(Shift::m2m, b, args.order, args.rhs, 1);
  }
};
template <class T>
struct HostBlocks<M2L<T>> {
  static void run(Buffers const& b, M2LArgs const& args) {
    if (args.order == 3) translate_by_targets_on_host<T, 3>(b, args);
    else if (args.order == 5) translate_by_targets_on_host<T, 5>(b, args);
    else if (args.order % 2 == 0 && args.order <= 12) translate_dense_on_host<T>(b, args);
    else translate_on_host<T>(Shift::m2l, b, args.order, args.rhs, args.separation);
  }
};
template <class T>
struct HostBlocks<L2L<T>> {
  static void run(Buffers const& b, L2LArgs const& args) {
    translate_on_host<T>(Shift::l2l, b, args.order, args.rhs, 1);
  }
};

}  // namespace nearfar::test

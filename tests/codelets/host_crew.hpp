// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm_p2p/fmm_p2p.hpp"
#include "codelets/fmm_p2p/fmm_p2p_crew.hpp"
#include "codelets/gpu_crew.hpp"
#include "codelets/l2p/l2p.hpp"
#include "codelets/l2p/l2p_crew.hpp"
#include "codelets/p2m/p2m.hpp"
#include "codelets/p2m/p2m_crew.hpp"
#include "codelets/translate/translate.hpp"
#include "codelets/translate/translate_crew.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace nearfar::test {

/// The threads of a GPU block, one after the other (codelets/gpu_crew.hpp).
template <class State>
class HostCrew {
 public:
  explicit HostCrew(int threads) : state_(std::size_t(threads)) {}

  template <class Step>
  void step(Step const& f) {
    for (std::size_t t = 0; t < state_.size(); ++t) f(int(t), state_[t]);
  }

 private:
  std::vector<State> state_;
};

/// Memory that holds no number yet.
template <class T>
std::vector<T> unset(std::size_t count) {
  return std::vector<T>(count, std::numeric_limits<T>::quiet_NaN());
}

template <class Program, class T, class Launch>
void run_leaves(Launch const& launch, int blocks) {
  auto memory = unset<T>(std::size_t(Program::memory_size));
  HostCrew<typename Program::State> crew(Program::threads);
  for (int block = 0; block < blocks; ++block) Program::run(crew, launch, block, memory.data());
}

/// Lists of at most `most` of the buffers.
template <class Item, class ItemAt, class Launch>
void in_lists_of(int most, int count, ItemAt const& item_at, Launch const& launch) {
  LaunchList<Item> list;
  for (; list.first == 0 || list.first < count; list.first += list.count) {
    list.count = std::min(most, count - list.first);
    for (int i = 0; i < list.count; ++i) list.item[i] = item_at(list.first + i);
    launch(list);
    if (list.count == 0) return;
  }
}

/// What the launchers of the .cu files do, on the host, with small work space and short lists of buffers.
template <class S>
struct HostBlocks;

template <class T, Kernel K>
struct HostBlocks<P2M<T, K>> {
  static void run(Buffers const& b, P2MArgs const& args) {
    P2MLaunch<T> launch{P2MLaunch<T>::of(b, args)};
    auto part = unset<T>(std::size_t(launch.pieces() * launch.template size<K>()));
    launch.part = part.data();
    int const blocks = launch.pieces() * args.vectors * KernelSums<K>::rhs;
    if (coefficient_count(args.order) <= P2MCrew<K, 1, T>::threads) run_leaves<P2MCrew<K, 1, T>, T>(launch, blocks);
    else run_leaves<P2MCrew<K, 8, T>, T>(launch, blocks);
    using Gather = P2MGatherCrew<K, T>;
    run_leaves<Gather, T>(launch, launch.leaves * Gather::blocks_per_leaf(launch));
  }
};

template <class T, Kernel K, bool G>
struct HostBlocks<L2P<T, K, G>> {
  static void run(Buffers const& b, L2PArgs const& args) {
    auto const launch = L2PLaunch<T>::of(b, args);
    run_leaves<L2PCrew<K, G, T>, T>(launch, launch.pieces(L2PCrew<K, G, T>::threads) * args.vectors);
  }
};

template <class T, Kernel K, bool G>
struct HostBlocks<FmmP2P<T, K, G>> {
  static void run(Buffers const& b, FmmP2PArgs const& args) {
    using Program = FmmP2PCrew<K, G, T>;
    using Gather = FmmP2PGatherCrew<K, G, T>;
    auto launch = FmmP2PLaunch<T>::of(b, args);
    auto memory = unset<T>(std::size_t(Program::memory_size));
    auto part = unset<T>(std::size_t(launch.template part_size<K, G>()));
    launch.part = part.data();
    HostCrew<typename Program::State> crew(Program::threads);
    HostCrew<NoState> gatherers(Gather::threads);
    in_lists_of<PairSources<T>>(
        5, b.count(3) / 2, [&](int i) { return FmmP2PLaunch<T>::sources(b, i); },
        [&](auto const& sources) {
          for (int i = 0; i < launch.blocks(); ++i) Program::run(crew, launch, sources, i, memory.data());
          for (int i = 0; i < launch.leaves; ++i) Gather::run(gatherers, launch, sources.first > 0, i);
        });
  }
};

template <class T>
void translate_on_host(Shift shift, Buffers const& b, int order, int rhs, int separation) {
  constexpr int at_once = 333, lanes = 32;
  using Team = ShiftTeam<T, max_fmm_order, true>;
  auto launch = TranslateLaunch<T>::of(shift, b, order, rhs, separation);
  int const links = int((b.size<std::int32_t>(1) - RunTable::head) / 3);
  auto shifted = unset<T>(std::size_t(at_once * rhs * launch.stride()));
  std::vector<std::int32_t> note(std::size_t(launch.targets() * launch.keys), 1);
  launch.shifted = shifted.data();
  launch.note = note.data();
  using Program = TranslateCrew<Team, T>;
  std::vector<double> memory(std::size_t(Program::memory_size(order, lanes)) / sizeof(double) + 1);
  std::vector<double> gather_memory(std::size_t(GatherCrew<T>::memory_size(launch.keys)) / sizeof(double));
  HostCrew<NoState> shifters(Team::threads), gatherers(GatherCrew<T>::threads);
  for (launch.first = 0; launch.first == 0 || launch.first < links; launch.first = launch.last) {
    launch.last = std::min(links, launch.first + at_once);
    in_lists_of<T const*>(
        7, b.count(2), [&](int i) { return b.get<T const>(2, i); },
        [&](auto const& sources) {
          launch.add = shift == Shift::l2l || launch.first > 0 || sources.first > 0;
          for (int block = 0; block < Program::blocks(launch, lanes); ++block)
            Program::run(shifters, launch, sources, lanes, block, memory.data());
          for (int block = 0; block < launch.targets() * GatherCrew<T>::blocks_per_target(launch); ++block)
            GatherCrew<T>::run(gatherers, launch, block, gather_memory.data());
        });
    if (links == 0) return;
  }
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
    translate_on_host<T>(Shift::m2l, b, args.order, args.rhs, args.separation);
  }
};
template <class T>
struct HostBlocks<L2L<T>> {
  static void run(Buffers const& b, L2LArgs const& args) {
    translate_on_host<T>(Shift::l2l, b, args.order, args.rhs, 1);
  }
};

}  // namespace nearfar::test

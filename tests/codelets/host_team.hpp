// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace nearfar::test {

/// The threads of a GPU block, one after the other (codelets/common/gpu/gpu_team.hpp).
template <class State>
class HostTeam {
 public:
  explicit HostTeam(int threads) : state_(std::size_t(threads)) {}

  template <class Step>
  void step(Step const& f) {
    for (std::size_t t = 0; t < state_.size(); ++t) f(int(t), state_[t]);
  }
  template <class Question>
  void vote(std::uint32_t* words, Question const& f) {
    step([&](int t, State& state) {
      if (t % 32 == 0) words[t / 32] = 0;
      words[t / 32] |= std::uint32_t(f(t, state)) << t % 32;
    });
  }
  template <class Question>
  void vote_by_32(std::uint32_t* words, Question const& f) {
    vote(words, f);
  }
  template <class Question, class Use>
  void vote_by_32(std::uint32_t* words, Question const& f, Use const& use) {
    vote(words, f);
    step([&](int t, State& state) { use(t, state, words[t / 32]); });
  }
  template <int bits, class Value, class Use>
  void match_by_32(std::uint32_t*, Value const& value, Use const& use) {
    std::vector<int> here(state_.size());
    step([&](int t, State& state) { here[std::size_t(t)] = value(t, state); });
    step([&](int t, State& state) {
      int const own = here[std::size_t(t)];
      std::uint32_t equal = 0;
      for (int l = 0; l < 32 && own >= 0; ++l) equal |= std::uint32_t(here[std::size_t(t / 32 * 32 + l)] == own) << l;
      use(t, state, own, equal);
    });
  }

 private:
  std::vector<State> state_;
};

/// Memory that holds no number yet.
template <class T>
std::vector<T> unset(std::size_t count) {
  return std::vector<T>(count, std::numeric_limits<T>::quiet_NaN());
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

}  // namespace nearfar::test

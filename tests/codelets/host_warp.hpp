// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace nearfar::test {

/// The threads of a GPU's warp, one after the other (codelets/common/gpu/gpu_warp.hpp).
template <class State>
class HostWarp {
 public:
  explicit HostWarp(int threads) : state_(std::size_t(threads)) {}

  template <class Step>
  void step(Step const& f) {
    for (std::size_t t = 0; t < state_.size(); ++t) f(int(t), state_[t]);
  }
  template <class Question>
  std::uint64_t vote(Question const& f) {
    std::uint64_t bits = 0;
    step([&](int t, State& state) { bits |= std::uint64_t(f(t, state)) << t; });
    return bits;
  }

 private:
  std::vector<State> state_;
};

}  // namespace nearfar::test

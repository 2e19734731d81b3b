// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#include "codelets/common/gpu/gpu_alias.hpp"
#endif

namespace nearfar {

/// The programs of the *_team.hpp files say what all threads of a GPU block do together: team.step(f) calls
/// f(thread, state) for each thread, followed by a barrier. State is what a thread keeps between steps;
/// `memory` is shared. This team is the threads of a GPU block, each with a copy of it; on hosts another team
/// calls f for all threads in turn (tests/codelets/host_team.hpp), so programs are tested without a GPU.
template <class State>
class GpuTeam {
 public:
  template <class Step>
  NEARFAR_FUNCTION void step([[maybe_unused]] Step const& f) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    f(int(threadIdx.x), state_);
    __syncthreads();
#endif
  }
  /// A step that votes: bit t % 32 of words[t / 32] says whether f(t, state) is true.
  template <class Question>
  NEARFAR_FUNCTION void vote([[maybe_unused]] std::uint32_t* words, [[maybe_unused]] Question const& f) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    int const t = int(threadIdx.x);
    std::uint64_t const bits = gpu_vote(f(t, state_));
    if (t % 32 == 0) words[t / 32] = std::uint32_t(bits >> (t & (warpSize - 1)));
    __syncthreads();
#endif
  }
  /// The same if threads 32 w .. 32 w + 31 read only words[w]: they do not wait for the others.
  template <class Question>
  NEARFAR_FUNCTION void vote_by_32([[maybe_unused]] std::uint32_t* words, [[maybe_unused]] Question const& f) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    int const t = int(threadIdx.x);
    std::uint64_t const bits = gpu_vote(f(t, state_));
    if (t % 32 == 0) words[t / 32] = std::uint32_t(bits >> (t & (warpSize - 1)));
    gpu_meet_in_warp();
#endif
  }
  /// Then calls use(t, state, votes) with bit l of `votes` for thread 32 w + l. `words`: threads / 32 of them, for
  /// teams that need memory for it.
  template <class Question, class Use>
  NEARFAR_FUNCTION void vote_by_32([[maybe_unused]] std::uint32_t* words, [[maybe_unused]] Question const& f,
                                   [[maybe_unused]] Use const& use) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    int const t = int(threadIdx.x);
    auto const votes = std::uint32_t(gpu_vote(f(t, state_)) >> (t & (warpSize - 1)) / 32 * 32);
    gpu_meet_in_warp();
    use(t, state_, votes);
    gpu_meet_in_warp();
#endif
  }
  /// Which of threads 32 w .. 32 w + 31 have the same value(t, state), of so many bits: use(t, state, value, equal) for
  /// each, with bit l of `equal` for thread 32 w + l. Negative values are equal to none. `words`: (bits + 1) * threads
  /// / 32 of them, for teams that need memory for it.
  template <int bits, class Value, class Use>
  NEARFAR_FUNCTION void match_by_32([[maybe_unused]] std::uint32_t* words, [[maybe_unused]] Value const& value,
                                    [[maybe_unused]] Use const& use) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    int const t = int(threadIdx.x), first = (t & (warpSize - 1)) / 32 * 32;
    auto const vote = [&](bool truth) { return std::uint32_t(gpu_vote(truth) >> first); };
    int const here = value(t, state_);
    std::uint32_t equal = vote(here >= 0);
    NEARFAR_DEVICE_UNROLL(8)
    for (int bit = 0; bit < bits; ++bit) {
      bool const set = (here >> bit & 1) != 0;
      std::uint32_t const all = vote(set);
      equal &= set ? all : ~all;
    }
    gpu_meet_in_warp();
    use(t, state_, here, equal);
    gpu_meet_in_warp();
#endif
  }

 private:
  State state_;
};

/// For programs whose threads keep no state.
struct NoState {};

/// Sums over the threads of a block, always in the same order: thread t has number k in memory[k * threads + t] before,
/// the sum of numbers k is in memory[k * threads] afterwards.
template <int threads, int numbers = 1, class Team>
NEARFAR_FUNCTION void add_up_threads(Team& team, double* memory) {
  for (int half = threads / 2; half > 0; half /= 2)
    team.step([&](int t, auto&) {
      for (int k = 0; t < half && k < numbers; ++k) memory[k * threads + t] += memory[k * threads + t + half];
    });
}

/// How many teams run a program, the threads of each, at most Program::threads, and the bytes that these share.
struct GpuTeams {
  int count, threads;
  std::size_t bytes;
};

/// The launch of a program that takes several things: Program::run(team, first, ..., block, memory).
template <class... All>
struct GpuArguments {
  NEARFAR_CALLS_WHAT_IT_IS_GIVEN
  template <class Use, class... Before>
  NEARFAR_FUNCTION void give(Use const& use, Before const&... before) const {
    use(before...);
  }
};
template <class First, class... Rest>
struct GpuArguments<First, Rest...> {
  First first;
  GpuArguments<Rest...> rest;

  NEARFAR_CALLS_WHAT_IT_IS_GIVEN
  template <class Use, class... Before>
  NEARFAR_FUNCTION void give(Use const& use, Before const&... before) const {
    rest.give(use, before..., first);
  }
};
template <class First, class... Rest>
GpuArguments(First, Rest...) -> GpuArguments<First, Rest...>;

template <class Launch>
inline constexpr bool has_parts = false;
template <class... All>
inline constexpr bool has_parts<GpuArguments<All...>> = true;

/// What team number `block` of a program does.
template <class Program, class Team, class Launch, class Number>
NEARFAR_FUNCTION void run_program(Team& team, Launch const& launch, int block, Number* memory) {
  Program::run(team, launch, block, memory);
}
template <class Program, class Team, class... All, class Number>
NEARFAR_FUNCTION void run_program(Team& team, GpuArguments<All...> const& launch, int block, Number* memory) {
  launch.give([&](All const&... all) { Program::run(team, all..., block, memory); });
}

}  // namespace nearfar

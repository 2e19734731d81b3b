// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#include "codelets/common/gpu_alias.hpp"
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

 private:
  State state_;
};

#if defined(__CUDACC__) || defined(__HIPCC__)
/// A program by as many GPU blocks as are launched.
template <class Program, class T, class Launch>
__global__ void __launch_bounds__(Program::threads) team_kernel(Launch const launch) {
  __shared__ T memory[Program::memory_size];
  GpuTeam<typename Program::State> team;
  Program::run(team, launch, int(blockIdx.x), memory);
}
#endif

/// For programs whose threads keep no state.
struct NoState {};

}  // namespace nearfar

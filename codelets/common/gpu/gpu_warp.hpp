// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"
#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Whether the GPU that is compiled for can have warps of so many threads. Kernels for others are left empty there,
/// since they take a compiler as long as those that run.
template <int threads>
#if defined(__GFX9__)
inline constexpr bool has_warps_of = threads == 64;
#else
inline constexpr bool has_warps_of = true;
#endif

/// A team (codelets/common/gpu/gpu_team.hpp) that is one warp, which is the whole GPU block, and can vote.
template <class State>
class GpuWarp {
 public:
  template <class Step>
  NEARFAR_FUNCTION void step([[maybe_unused]] Step const& f) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    f(int(threadIdx.x), state_);
    gpu_meet_in_warp();
#endif
  }
  /// Bit t: whether f(t, state) is true.
  template <class Question>
  NEARFAR_FUNCTION std::uint64_t vote([[maybe_unused]] Question const& f) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return gpu_vote(f(int(threadIdx.x), state_));
#else
    return 0;
#endif
  }

 private:
  State state_;
};

}  // namespace nearfar

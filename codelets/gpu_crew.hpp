// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/function.hpp"

namespace nearfar {

/// The programs of the *_crew.hpp files say what all threads of a GPU block do together: crew.step(f) calls
/// f(thread, state) for each thread, and all have come so far before anyone goes on. State is what a thread keeps from
/// step to step; what they share is in `memory`. This crew is the threads of a GPU block, each with a copy of it; on
/// hosts another one calls f for all in turn (tests/codelets/host_crew.hpp), so that programs are tested without a GPU.
template <class State>
class GpuCrew {
 public:
  template <class Step>
  NEARFAR_FUNCTION void step([[maybe_unused]] Step const& f) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    f(int(threadIdx.x), state_);
    __syncthreads();
#endif
  }

 private:
  State state_;
};

/// For programs whose threads keep nothing.
struct NoState {};

}  // namespace nearfar

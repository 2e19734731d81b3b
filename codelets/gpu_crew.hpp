// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/function.hpp"

#if defined(__CUDACC__) || defined(__HIPCC__)
#include "codelets/gpu_alias.hpp"
#endif

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

#if defined(__CUDACC__) || defined(__HIPCC__)
/// A program by as many GPU blocks as are launched.
template <class Program, class T, class Launch>
__global__ void __launch_bounds__(Program::threads) crew_kernel(Launch const launch) {
  __shared__ T memory[Program::memory_size];
  GpuCrew<typename Program::State> crew;
  Program::run(crew, launch, int(blockIdx.x), memory);
}
#endif

/// For programs whose threads keep nothing.
struct NoState {};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// Copies 4, 8 or 16 bytes from the device's memory to what a GPU block shares. Threads go on meanwhile, where the GPU
/// can do that, so that any number of copies are on their way; what came is there for the others when those that asked
/// for it have called gpu_await_copies and all have met.
template <class T>
NEARFAR_FUNCTION void gpu_copy_to_shared(T* shared, T const* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
#if defined(__CUDA_ARCH__)
  auto const to = unsigned(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(T)) : "memory");
#else
  *shared = *from;
#endif
}
NEARFAR_FUNCTION void gpu_await_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace nearfar

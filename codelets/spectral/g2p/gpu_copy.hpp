// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// Copies 4, 8 or 16 bytes from device memory to the shared memory of a GPU block, asynchronously if
/// the GPU can, so that any number of copies are in flight. The data are visible to other threads
/// once those that requested them have called gpu_await_copies and all have met at a barrier.
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

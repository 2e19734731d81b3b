// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"

// For code outside of StarPU's tasks, which copies data to GPUs and back by itself.

/// Whether kernels can run at all.
inline bool gpu_is_there() {
  int count = 0;
  bool const there = gpu_count(&count) == gpu_success && count > 0;
  static_cast<void>(gpu_last_status());  // without a GPU, the query leaves an error status behind
  return there;
}

/// Copies from a device to the host, after everything that was launched.
inline GpuStatus gpu_fetch(void* to, void const* from, std::size_t bytes) {
#if defined(__HIPCC__)
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost);
#else
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
#endif
}

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

// In the place of codelets/common/gpu_alias.hpp where a test runs a .cu file on the host, which is device 0.
using GpuStatus = bool;
inline GpuStatus gpu_device(int* device) {
  *device = 0;
  return true;
}
inline GpuStatus gpu_malloc_kept(void** memory, std::size_t bytes) { return (*memory = std::malloc(bytes)) != nullptr; }
inline GpuStatus gpu_upload(void* to, void const* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return true;
}
inline void gpu_expect(GpuStatus status, std::string const& what) {
  if (!status) throw std::runtime_error(what);
}

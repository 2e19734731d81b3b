// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

// In the place of codelets/common/gpu/gpu_alias.hpp where a test runs a .cu file on the host, which is device 0.
#define __device__
using GpuStatus = bool;
using GpuStream = void*;
inline constexpr std::size_t gpu_shared_bytes = 1 << 12;  // little, so that tests see how it is divided
inline GpuStatus gpu_device(int* device) {
  *device = 0;
  return true;
}
inline GpuStatus gpu_malloc_kept(void** memory, std::size_t bytes) { return (*memory = std::malloc(bytes)) != nullptr; }
inline GpuStatus gpu_upload(void* to, void const* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return true;
}
inline GpuStatus gpu_fill(void* memory, int byte, std::size_t bytes, GpuStream) {
  if (bytes > 0) std::memset(memory, byte, bytes);
  return true;
}
inline void atomicMin(unsigned long long* to, unsigned long long value) { *to = std::min(*to, value); }
inline void atomicMin(std::uint32_t* to, std::uint32_t value) { *to = std::min(*to, value); }
inline std::int32_t atomicAdd(std::int32_t* to, std::int32_t value) {
  std::int32_t const before = *to;
  *to += value;
  return before;
}
inline void gpu_expect(GpuStatus status, std::string const& what) {
  if (!status) throw std::runtime_error(what);
}

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"

#include <mutex>

namespace nearfar {

/// Memory for what follows on a stream while this object lives, from the device's own
/// pool, in stream order. Only GPUs need it, and StarPU would allocate a scratch
/// handle for every worker. Throws std::runtime_error if there is none. For .cu files.
class GpuWorkSpace {
 public:
  GpuWorkSpace(std::size_t bytes, void* stream, char const* what) : stream_(static_cast<GpuStream>(stream)) {
    keep_memory();
    gpu_expect(gpu_malloc(&memory_, bytes, stream_),
               "no " + std::to_string(bytes) + " bytes of work space for " + what);
  }
  ~GpuWorkSpace() { static_cast<void>(gpu_free(memory_, stream_)); }
  GpuWorkSpace(GpuWorkSpace const&) = delete;
  GpuWorkSpace& operator=(GpuWorkSpace const&) = delete;

  char* data() const noexcept { return static_cast<char*>(memory_); }

 private:
  /// Called once for each device.
  static void keep_memory() {
    constexpr int max_devices = 64;
    static std::once_flag kept[max_devices];
    int device = 0;
    gpu_expect(gpu_device(&device), "no device for work space");
    std::call_once(kept[device % max_devices], [&] { gpu_expect(gpu_keep_memory(device), "no work space"); });
  }

  GpuStream stream_;
  void* memory_ = nullptr;
};

/// Work space for the first bad place (BadNumber::none until kernels lower it by atomicMin). For .cu files.
class GpuFirstPlace {
 public:
  GpuFirstPlace(void* stream, char const* what) : space_(sizeof(unsigned long long), stream, what) {
    gpu_expect(gpu_fill(data(), 0xff, sizeof(unsigned long long), static_cast<GpuStream>(stream)),
               std::string("the work space of ") + what + " was not filled");
  }

  unsigned long long* data() const noexcept { return reinterpret_cast<unsigned long long*>(space_.data()); }

 private:
  GpuWorkSpace space_;
};

}  // namespace nearfar

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <fftw3.h>

// In the place of codelets/common/gpu/gpu_work_space.hpp where a test runs a .cu file on the host. What nobody has
// written is no number.
namespace nearfar {

class GpuWorkSpace {
 public:
  GpuWorkSpace(std::size_t bytes, void*, char const*) : memory_(fftw_malloc(bytes)) {
    std::memset(memory_, 0xff, bytes);
  }
  ~GpuWorkSpace() { fftw_free(memory_); }
  GpuWorkSpace(GpuWorkSpace const&) = delete;
  GpuWorkSpace& operator=(GpuWorkSpace const&) = delete;

  char* data() const noexcept { return static_cast<char*>(memory_); }

 private:
  void* memory_;
};

class GpuFirstPlace {
 public:
  GpuFirstPlace(void*, char const*) {}

  unsigned long long* data() const noexcept { return &place_; }

 private:
  mutable unsigned long long place_ = ~0ULL;
};

}  // namespace nearfar

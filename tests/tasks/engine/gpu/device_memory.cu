// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_call.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"

namespace nearfar::test {

namespace {

/// A clock that does not depend on how fast the GPU runs.
#if defined(__HIPCC__)
constexpr double ticks_per_second = 1e8;
#else
constexpr double ticks_per_second = 1e9;
#endif
__device__ long long ticks() {
#if defined(__HIPCC__)
  return static_cast<long long>(__builtin_amdgcn_s_memrealtime());
#else
  long long nanoseconds = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
#endif
}

__global__ void wait_kernel(long long count) {
  long long const begin = ticks();
  while (ticks() - begin < count) {
  }
}

}  // namespace

int DeviceMemory::devices() {
  int count = 0;
  return gpu_count(&count) == gpu_success ? count : 0;
}
DeviceMemory::DeviceMemory(std::size_t bytes, int gpu) {
  gpu_expect(gpu_use(gpu), "no device");
  gpu_expect(gpu_malloc_kept(&memory_, bytes), "no memory");
  gpu_expect(gpu_use(0), "no device");
}
DeviceMemory::~DeviceMemory() { static_cast<void>(NEARFAR_GPU(Free)(memory_)); }
void DeviceMemory::upload(std::size_t at, void const* from, std::size_t bytes) {
  gpu_expect(gpu_upload(data() + at, from, bytes), "not copied to the device");
}
void DeviceMemory::download(std::size_t at, void* to, std::size_t bytes) const {
  gpu_expect(NEARFAR_GPU(Memcpy)(to, data() + at, bytes, NEARFAR_GPU(MemcpyDeviceToHost)), "not copied to the host");
}
DeviceStream::DeviceStream() {
  GpuStream stream = nullptr;
  gpu_expect(gpu_use(0), "no device");
  gpu_expect(NEARFAR_GPU(StreamCreateWithFlags)(&stream, NEARFAR_GPU(StreamNonBlocking)), "no stream");
  stream_ = stream;
}
DeviceStream::~DeviceStream() { static_cast<void>(NEARFAR_GPU(StreamDestroy)(static_cast<GpuStream>(stream_))); }
void DeviceStream::pass_time(double seconds) {
  wait_kernel<<<1, 1, 0, static_cast<GpuStream>(stream_)>>>(static_cast<long long>(seconds * ticks_per_second));
  gpu_expect(gpu_last_status(), "a kernel was not launched");
}
void DeviceStream::copy(void* to, void const* from, std::size_t bytes) {
  gpu_expect(
      NEARFAR_GPU(MemcpyAsync)(to, from, bytes, NEARFAR_GPU(MemcpyDeviceToDevice), static_cast<GpuStream>(stream_)),
      "not copied on the device");
}
void DeviceStream::wait() const {
  gpu_expect(NEARFAR_GPU(StreamSynchronize)(static_cast<GpuStream>(stream_)), "a stream did not end");
}

}  // namespace nearfar::test

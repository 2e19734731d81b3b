// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "tests/tasks/engine/device_memory.hpp"

namespace nearfar::test {

namespace {

/// A clock that does not depend on how fast the GPU runs.
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

#if defined(__HIPCC__)
int DeviceMemory::devices() {
  int count = 0;
  return hipGetDeviceCount(&count) == hipSuccess ? count : 0;
}
DeviceMemory::DeviceMemory(std::size_t bytes) {
  gpu_expect(hipSetDevice(0), "no device");
  gpu_expect(hipMalloc(&memory_, bytes), "no memory");
}
DeviceMemory::~DeviceMemory() { static_cast<void>(hipFree(memory_)); }
void DeviceMemory::upload(std::size_t at, void const* from, std::size_t bytes) {
  gpu_expect(hipMemcpy(data() + at, from, bytes, hipMemcpyHostToDevice), "not copied to the device");
}
void DeviceMemory::download(std::size_t at, void* to, std::size_t bytes) const {
  gpu_expect(hipMemcpy(to, data() + at, bytes, hipMemcpyDeviceToHost), "not copied to the host");
}
DeviceStream::DeviceStream() {
  hipStream_t stream = nullptr;
  gpu_expect(hipSetDevice(0), "no device");
  gpu_expect(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "no stream");
  stream_ = stream;
}
DeviceStream::~DeviceStream() { static_cast<void>(hipStreamDestroy(static_cast<hipStream_t>(stream_))); }
void DeviceStream::pass_time(double seconds) {
  wait_kernel<<<1, 1, 0, static_cast<hipStream_t>(stream_)>>>(static_cast<long long>(seconds * 1e8));
  gpu_expect(gpu_last_status(), "a kernel was not launched");
}
void DeviceStream::copy(void* to, void const* from, std::size_t bytes) {
  gpu_expect(hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, static_cast<hipStream_t>(stream_)),
             "not copied on the device");
}
void DeviceStream::wait() const {
  gpu_expect(hipStreamSynchronize(static_cast<hipStream_t>(stream_)), "a stream did not end");
}
#else
DeviceStream::DeviceStream() {
  cudaStream_t stream = nullptr;
  gpu_expect(cudaSetDevice(0), "no device");
  gpu_expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "no stream");
  stream_ = stream;
}
DeviceStream::~DeviceStream() { cudaStreamDestroy(static_cast<cudaStream_t>(stream_)); }
void DeviceStream::pass_time(double seconds) {
  wait_kernel<<<1, 1, 0, static_cast<cudaStream_t>(stream_)>>>(static_cast<long long>(seconds * 1e9));
  gpu_expect(gpu_last_status(), "a kernel was not launched");
}
void DeviceStream::copy(void* to, void const* from, std::size_t bytes) {
  gpu_expect(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream_)),
             "not copied on the device");
}
void DeviceStream::wait() const {
  gpu_expect(cudaStreamSynchronize(static_cast<cudaStream_t>(stream_)), "a stream did not end");
}
int DeviceMemory::devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
DeviceMemory::DeviceMemory(std::size_t bytes) {
  gpu_expect(cudaSetDevice(0), "no device");
  gpu_expect(cudaMalloc(&memory_, bytes), "no memory");
}
DeviceMemory::~DeviceMemory() { cudaFree(memory_); }
void DeviceMemory::upload(std::size_t at, void const* from, std::size_t bytes) {
  gpu_expect(cudaMemcpy(data() + at, from, bytes, cudaMemcpyHostToDevice), "not copied to the device");
}
void DeviceMemory::download(std::size_t at, void* to, std::size_t bytes) const {
  gpu_expect(cudaMemcpy(to, data() + at, bytes, cudaMemcpyDeviceToHost), "not copied to the host");
}
#endif

}  // namespace nearfar::test

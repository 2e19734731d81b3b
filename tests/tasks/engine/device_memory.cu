// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "tests/tasks/engine/device_memory.hpp"

namespace nearfar::test {

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
#else
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

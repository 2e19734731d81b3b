// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gpu/device.hpp"
#include "codelets/common/gpu_alias.hpp"

#include <algorithm>
#include <chrono>

#if defined(__HIPCC__)
#define NEARFAR_GPU(name) hip##name
#else
#define NEARFAR_GPU(name) cuda##name
#endif

namespace nearfar::bench {

namespace {

constexpr int threads = 256, blocks = 132 * 16, rounds = 1 << 12, chains = 8;

template <class T>
__global__ void multiply_add_kernel(T start, T* out) {
  T x[chains];
  for (int c = 0; c < chains; ++c) x[c] = start + T(c);
  for (int i = 0; i < rounds; ++i)
    for (int c = 0; c < chains; ++c) x[c] = x[c] * T(0.999999) + T(1e-6);
  T sum = T(0);
  for (int c = 0; c < chains; ++c) sum += x[c];
  if (sum == T(-1)) *out = sum;  // never, but the compiler does not know
}

__global__ void copy_kernel(double2 const* from, double2* to, std::size_t count) {
  for (std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * threads)
    to[i] = from[i];
}

/// The least seconds of some launches.
template <class Launch>
double seconds_of(Launch const& launch) {
  double least = 1e300;
  for (int i = 0; i < 5; ++i) {
    gpu_expect(NEARFAR_GPU(DeviceSynchronize)(), "the device did not come to rest");
    auto const begin = std::chrono::steady_clock::now();
    launch();
    gpu_expect(NEARFAR_GPU(DeviceSynchronize)(), "a kernel failed");
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

template <class T>
double flops() {
  DeviceMemory out(sizeof(T));
  double const seconds =
      seconds_of([&] { multiply_add_kernel<T><<<blocks, threads>>>(T(1), static_cast<T*>(out.data())); });
  return 2.0 * blocks * threads * rounds * chains / seconds;
}

}  // namespace

DevicePeaks measure_peaks() {
  constexpr std::size_t bytes = std::size_t(1) << 30;
  DeviceMemory from(bytes), to(bytes);
  double const copy = seconds_of([&] {
    copy_kernel<<<blocks, threads>>>(static_cast<double2 const*>(from.data()), static_cast<double2*>(to.data()),
                                     bytes / sizeof(double2));
  });
  return {flops<double>(), flops<float>(), 2.0 * double(bytes) / copy};
}

int devices() {
  int count = 0;
  return NEARFAR_GPU(GetDeviceCount)(&count) == gpu_success ? count : 0;
}

std::size_t free_memory() {
  std::size_t free = 0, all = 0;
  gpu_expect(NEARFAR_GPU(MemGetInfo)(&free, &all), "the device does not say how much memory is free");
  return free;
}

DeviceMemory::DeviceMemory(std::size_t bytes) {
  gpu_expect(gpu_malloc_kept(&memory_, bytes), "no " + std::to_string(bytes) + " bytes of device memory");
}
DeviceMemory::~DeviceMemory() { static_cast<void>(NEARFAR_GPU(Free)(memory_)); }
void DeviceMemory::upload(void const* from, std::size_t bytes) {
  gpu_expect(gpu_upload(memory_, from, bytes), "not copied to the device");
}
void DeviceMemory::download(void* to, std::size_t bytes) const {
  gpu_expect(NEARFAR_GPU(Memcpy)(to, memory_, bytes, NEARFAR_GPU(MemcpyDeviceToHost)), "not copied to the host");
}

}  // namespace nearfar::bench

// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"

#include <nearfar/processor.hpp>

#include <algorithm>
#include <chrono>

namespace nearfar {

namespace {

constexpr int threads = 256, blocks = 132 * 16, rounds = 1 << 12, chains = 8;

/// Memory of the device for one measurement.
class Memory {
 public:
  explicit Memory(std::size_t bytes) { gpu_expect(gpu_malloc_kept(&data_, bytes), "no memory to measure the device"); }
  ~Memory() { static_cast<void>(gpu_free_kept(data_)); }
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

template <class T>
__global__ void multiply_add_kernel(T start, T* out) {
  T x[chains];
  for (int c = 0; c < chains; ++c) x[c] = start + T(c);
  for (int i = 0; i < rounds; ++i)
    for (int c = 0; c < chains; ++c) x[c] = x[c] * T(0.999999) + T(1e-6);
  T sum = T(0);
  for (int c = 0; c < chains; ++c) sum += x[c];
  if (sum == T(-1)) *out = sum;  // never true, but the compiler cannot know and must keep the sums
}

__global__ void copy_kernel(double2 const* from, double2* to, std::size_t count) {
  for (std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * threads)
    to[i] = from[i];
}

/// The shortest time of several launches.
template <class Launch>
double seconds_of(Launch const& launch) {
  double least = 1e300;
  for (int i = 0; i < 5; ++i) {
    gpu_expect(gpu_wait(), "the device did not come to rest");
    auto const begin = std::chrono::steady_clock::now();
    launch();
    gpu_expect(gpu_wait(), "a kernel that measures the device failed");
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

template <class T>
double flops() {
  Memory const out(sizeof(T));
  double const seconds = seconds_of([&] { multiply_add_kernel<T><<<blocks, threads>>>(T(1), out.as<T>()); });
  return 2.0 * blocks * threads * rounds * chains / seconds;
}

double copied_bytes() {
  constexpr std::size_t bytes = std::size_t(1) << 30;
  Memory const from(bytes), to(bytes);
  double const seconds = seconds_of(
      [&] { copy_kernel<<<blocks, threads>>>(from.as<double2>(), to.as<double2>(), bytes / sizeof(double2)); });
  return 2.0 * double(bytes) / seconds;
}

}  // namespace

GpuPeaks gpu_peaks() {
  int count = 0;
  if (gpu_count(&count) != gpu_success || count == 0) return {};
  return {flops<double>(), flops<float>(), copied_bytes()};
}

}  // namespace nearfar

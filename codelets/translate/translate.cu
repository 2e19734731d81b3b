// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/gpu_alias.hpp"
#include "codelets/gpu_crew.hpp"
#include "codelets/translate/translate_gpu.hpp"

#include <mutex>

namespace nearfar {

namespace {

constexpr std::size_t most_bytes = 64 << 20;  // of work space
constexpr int most_threads = 256;

template <class T>
__global__ void __launch_bounds__(most_threads)
    shift_kernel(TranslateLaunch<T> const launch, LaunchList<T const*> const sources, int lanes) {
  extern __shared__ double memory[];
  GpuCrew<NoState> crew;
  TranslateCrew<T>::run(crew, launch, sources, lanes, int(blockDim.x), int(blockIdx.x), reinterpret_cast<T*>(memory));
}

template <class T>
__global__ void __launch_bounds__(GatherCrew<T>::threads) gather_kernel(TranslateLaunch<T> const launch) {
  extern __shared__ double memory[];
  GpuCrew<NoState> crew;
  GatherCrew<T>::run(crew, launch, int(blockIdx.x), memory);
}

/// Once for each device.
template <class T>
void prepare_device() {
  constexpr int most_devices = 64;
  static std::once_flag prepared[most_devices];
  int device = 0;
  gpu_expect(gpu_device(&device), "no device for translations");
  std::call_once(prepared[device % most_devices], [&] {
    gpu_expect(gpu_allow_shared(reinterpret_cast<void const*>(shift_kernel<T>)), "no shared memory for translations");
    gpu_expect(gpu_keep_memory(device), "no work space for translations");
  });
}

/// As many expansions side by side as fit, 32 at most.
template <class T>
int lanes_of(int order) {
  int lanes = 32;
  while (ShiftTeam<T>::size(order, lanes) * int(sizeof(T)) > gpu_shared_bytes) lanes /= 2;
  return lanes;
}

}  // namespace

template <class T>
TranslateQueue<T>::TranslateQueue(TranslateLaunch<T> const& launch, std::int64_t links, void* stream)
    : launch_(launch), stream_(stream), lanes_(lanes_of<T>(launch.order)), threads_(launch.order <= 10 ? 128 : 256) {
  prepare_device<T>();
  std::size_t const link = std::size_t(launch.rhs * launch.stride()) * sizeof(T);
  at_once_ = int(std::max<std::int64_t>(1, std::min(links, std::int64_t(most_bytes / link))));
  std::size_t const shifted = std::size_t(at_once_) * link;
  std::size_t const notes = std::size_t(launch.targets()) * std::size_t(launch.keys) * sizeof(std::int32_t);
  void* memory = nullptr;
  gpu_expect(gpu_malloc(&memory, shifted + notes, static_cast<GpuStream>(stream)),
             "no " + std::to_string(shifted + notes) + " bytes of work space for translations");
  launch_.shifted = static_cast<T*>(memory);
  launch_.note = reinterpret_cast<std::int32_t*>(static_cast<char*>(memory) + shifted);
}

template <class T>
TranslateQueue<T>::~TranslateQueue() {
  gpu_free(launch_.shifted, static_cast<GpuStream>(stream_));
}

template <class T>
void TranslateQueue<T>::shift(int first, int last, bool add, LaunchList<T const*> const& sources) {
  auto const to = static_cast<GpuStream>(stream_);
  launch_.first = first;
  launch_.last = last;
  launch_.add = add;
  unsigned const blocks = unsigned(((last - first) * launch_.rhs + lanes_ - 1) / lanes_);
  auto const shared = std::size_t(ShiftTeam<T>::size(launch_.order, lanes_)) * sizeof(T);
  if (blocks > 0) shift_kernel<T><<<blocks, unsigned(threads_), shared, to>>>(launch_, sources, lanes_);
  using Gather = GatherCrew<T>;
  auto const targets = unsigned(launch_.targets() * Gather::blocks_per_target(launch_));
  gather_kernel<T><<<targets, Gather::threads, std::size_t(Gather::memory_size(launch_.keys)), to>>>(launch_);
  gpu_expect(gpu_last_status(),
             "the kernels of " + std::to_string(last - first) + " translations could not be launched");
}

template class TranslateQueue<double>;
template class TranslateQueue<float>;

}  // namespace nearfar

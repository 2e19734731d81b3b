// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/ipc/gpu_ipc.hpp"

#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_call.hpp"

#include <cstring>
#include <utility>

namespace nearfar {

namespace {

using IpcHandle = NEARFAR_GPU(IpcMemHandle_t);
using EventHandle = NEARFAR_GPU(Event_t);
static_assert(sizeof(IpcHandle) == sizeof(GpuMemoryName::handle));

constexpr char const* not_named = "memory of a GPU has no name for other processes";

#if defined(__HIPCC__)
std::uint64_t allocation_of(void const* memory) {
  void* base = nullptr;
  std::size_t size = 0;
  gpu_expect(hipMemGetAddressRange(&base, &size, const_cast<void*>(memory)), not_named);
  return std::uint64_t(reinterpret_cast<std::uintptr_t>(base));
}
#else
/// Only the driver's own interface tells where an allocation begins; asked for while the program runs, since nothing
/// else of it is needed to link.
std::uint64_t allocation_of(void const* memory) {
  using AddressRange = int (*)(unsigned long long* base, std::size_t* size, unsigned long long memory);
  static AddressRange const address_range = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    gpu_expect(cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &found, 12000, cudaEnableDefault, &result),
               not_named);
#else
    gpu_expect(cudaGetDriverEntryPoint("cuMemGetAddressRange", &found, cudaEnableDefault, &result), not_named);
#endif
    return reinterpret_cast<AddressRange>(found);
  }();
  unsigned long long base = 0;
  std::size_t size = 0;
  if (address_range == nullptr || address_range(&base, &size, reinterpret_cast<std::uintptr_t>(memory)) != 0)
    throw std::runtime_error(not_named);
  return base;
}
#endif

}  // namespace

GpuMemoryName name_gpu_memory(void const* memory) {
  GpuMemoryName name;
  name.allocation = allocation_of(memory);
  name.offset = std::uint64_t(reinterpret_cast<std::uintptr_t>(memory)) - name.allocation;
  IpcHandle handle{};
  gpu_expect(NEARFAR_GPU(IpcGetMemHandle)(&handle, reinterpret_cast<void*>(std::uintptr_t(name.allocation))),
             not_named);
  std::memcpy(name.handle.data(), &handle, sizeof handle);
  return name;
}

GpuCopies::~GpuCopies() {
  int before = 0;
  static_cast<void>(gpu_device(&before));
  static_cast<void>(gpu_use(gpu_));
  for (auto const& [peer, stream] : streams_) {
    static_cast<void>(NEARFAR_GPU(StreamSynchronize)(static_cast<GpuStream>(stream)));
    static_cast<void>(NEARFAR_GPU(StreamDestroy)(static_cast<GpuStream>(stream)));
  }
  for (auto const& [place, opened] : opened_) static_cast<void>(NEARFAR_GPU(IpcCloseMemHandle)(opened.memory));
  static_cast<void>(gpu_use(before));
}

void* GpuCopies::stream_of(int peer) {
  void*& kept = streams_[peer];
  if (kept == nullptr) {
    GpuStream stream = nullptr;
    gpu_expect(NEARFAR_GPU(StreamCreateWithFlags)(&stream, NEARFAR_GPU(StreamNonBlocking)),
               "no stream was made for copies from other processes");
    kept = stream;
  }
  return kept;
}

void* GpuCopies::opened(int peer, GpuMemoryName const& name) {
  Opened& kept = opened_[{peer, name.allocation}];
  if (kept.memory != nullptr && kept.handle == name.handle) return kept.memory;
  if (kept.memory != nullptr) static_cast<void>(NEARFAR_GPU(IpcCloseMemHandle)(std::exchange(kept.memory, nullptr)));
  IpcHandle handle;
  std::memcpy(&handle, name.handle.data(), sizeof handle);
  gpu_expect(NEARFAR_GPU(IpcOpenMemHandle)(&kept.memory, handle, NEARFAR_GPU(IpcMemLazyEnablePeerAccess)),
             "memory of another process's GPU was not opened");
  kept.handle = name.handle;
  return kept.memory;
}

std::unique_ptr<GpuCopies::Copy> GpuCopies::begin(int peer, void* to, GpuMemoryName const& from, std::size_t bytes) {
  auto* const stream = static_cast<GpuStream>(stream_of(peer));
  void const* const memory = static_cast<char const*>(opened(peer, from)) + from.offset;
  gpu_expect(NEARFAR_GPU(MemcpyAsync)(to, memory, bytes, NEARFAR_GPU(MemcpyDeviceToDevice), stream),
             "memory of another process's GPU was not copied");
  EventHandle event = nullptr;
  gpu_expect(NEARFAR_GPU(EventCreateWithFlags)(&event, NEARFAR_GPU(EventDisableTiming)), "no event was made");
  std::unique_ptr<Copy> copy(new Copy(event));
  gpu_expect(NEARFAR_GPU(EventRecord)(event, stream), "an event was not recorded");
  return copy;
}

GpuCopies::Copy::~Copy() { static_cast<void>(NEARFAR_GPU(EventDestroy)(static_cast<EventHandle>(event_))); }

bool GpuCopies::Copy::ended() {
  auto const status = NEARFAR_GPU(EventQuery)(static_cast<EventHandle>(event_));
  if (status == NEARFAR_GPU(ErrorNotReady)) {
    static_cast<void>(gpu_last_status());
    return false;
  }
  gpu_expect(status, "memory of another process's GPU was not copied");
  return true;
}

void copy_to_gpu(void* to, void const* from, std::size_t bytes) {
  gpu_expect(gpu_upload(to, from, bytes), "an array of the host was not copied to a GPU");
}

}  // namespace nearfar

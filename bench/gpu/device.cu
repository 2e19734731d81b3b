// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gpu/device.hpp"
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_call.hpp"

#include <string>

namespace nearfar::bench {

int devices() {
  int count = 0;
  return NEARFAR_GPU(GetDeviceCount)(&count) == gpu_success ? count : 0;
}

std::size_t free_memory() {
  std::size_t free = 0, all = 0;
  gpu_expect(NEARFAR_GPU(MemGetInfo)(&free, &all), "the device does not say how much memory is free");
  return free;
}

DeviceMemory::DeviceMemory(std::size_t bytes, int gpu) {
  gpu_expect(gpu_use(gpu), "no device");
  gpu_expect(gpu_malloc_kept(&memory_, bytes), "no " + std::to_string(bytes) + " bytes of device memory");
  gpu_expect(gpu_use(0), "no device");
}
DeviceMemory::~DeviceMemory() { static_cast<void>(NEARFAR_GPU(Free)(memory_)); }
void DeviceMemory::upload(void const* from, std::size_t bytes) {
  gpu_expect(gpu_upload(memory_, from, bytes), "not copied to the device");
}
void DeviceMemory::download(void* to, std::size_t bytes) const {
  gpu_expect(NEARFAR_GPU(Memcpy)(to, memory_, bytes, NEARFAR_GPU(MemcpyDeviceToHost)), "not copied to the host");
}

PinnedPages::PinnedPages(void* memory, std::size_t bytes) : memory_(memory) {
  gpu_expect(NEARFAR_GPU(HostRegister)(memory, bytes, NEARFAR_GPU(HostRegisterPortable)), "memory was not pinned");
}
PinnedPages::~PinnedPages() { static_cast<void>(NEARFAR_GPU(HostUnregister)(memory_)); }

}  // namespace nearfar::bench

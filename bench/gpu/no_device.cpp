// SPDX-License-Identifier: BSD-3-Clause
// Without CUDA and HIP there is no GPU.
#include "bench/gpu/device.hpp"

#include <stdexcept>

namespace nearfar::bench {

int devices() { return 0; }
std::size_t free_memory() { return 0; }

DeviceMemory::DeviceMemory(std::size_t, int) { throw std::runtime_error("nearfar was built without GPUs"); }
DeviceMemory::~DeviceMemory() = default;
void DeviceMemory::upload(void const*, std::size_t) {}
void DeviceMemory::download(void*, std::size_t) const {}

PinnedPages::PinnedPages(void* memory, std::size_t) : memory_(memory) {}
PinnedPages::~PinnedPages() = default;

}  // namespace nearfar::bench

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace nearfar::bench {

/// How many GPUs there are.
int devices();

/// Bytes of the first GPU's memory that nobody has.
std::size_t free_memory();

/// Memory of a GPU. Throws std::runtime_error where there is not so much.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes, int gpu = 0);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory const&) = delete;
  DeviceMemory& operator=(DeviceMemory const&) = delete;

  void* data() const noexcept { return memory_; }
  void upload(void const* from, std::size_t bytes);
  void download(void* to, std::size_t bytes) const;

 private:
  void* memory_ = nullptr;
};

/// An array there.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count, int gpu = 0) : memory_(count * sizeof(T), gpu), count_(count) {}
  explicit DeviceArray(std::span<T const> host, int gpu = 0) : DeviceArray(host.size(), gpu) {
    memory_.upload(host.data(), host.size_bytes());
  }
  std::span<T> span() const noexcept { return {static_cast<T*>(memory_.data()), count_}; }
  void upload(std::span<T const> from) { memory_.upload(from.data(), from.size_bytes()); }
  void download(std::span<T> to) const { memory_.download(to.data(), to.size_bytes()); }

 private:
  DeviceMemory memory_;
  std::size_t count_;
};

/// Pages of the host that are pinned for the GPUs while this lives.
class PinnedPages {
 public:
  PinnedPages(void* memory, std::size_t bytes);
  ~PinnedPages();
  PinnedPages(PinnedPages const&) = delete;
  PinnedPages& operator=(PinnedPages const&) = delete;

 private:
  void* memory_;
};

}  // namespace nearfar::bench

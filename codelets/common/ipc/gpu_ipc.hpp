// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace nearfar {

/// Memory of a GPU as other processes of the machine find it: the driver's handle of an allocation, where that lies in
/// the process that has it, and the place in it.
struct GpuMemoryName {
  std::array<unsigned char, 64> handle{};
  std::uint64_t allocation = 0, offset = 0;
};

/// The name of memory on the current GPU. Throws std::runtime_error if the driver gives it none.
GpuMemoryName name_gpu_memory(void const* memory);

/// Copies from the GPU memory of other processes to that of a GPU. Allocations are opened once and kept open, until
/// another one lies where they did, or this object ends. For one thread at a time, with that GPU as its current one.
/// Throws std::runtime_error for what the driver refuses.
class GpuCopies {
 public:
  explicit GpuCopies(int gpu) : gpu_(gpu) {}
  ~GpuCopies();
  GpuCopies(GpuCopies const&) = delete;
  GpuCopies& operator=(GpuCopies const&) = delete;

  int gpu() const noexcept { return gpu_; }

  /// A copy on its way.
  class Copy {
   public:
    ~Copy();
    Copy(Copy const&) = delete;
    Copy& operator=(Copy const&) = delete;
    bool ended();

   private:
    friend class GpuCopies;
    explicit Copy(void* event) : event_(event) {}
    void* event_;
  };

  /// Begins to copy what process `peer` has named, after earlier copies from the same.
  std::unique_ptr<Copy> begin(int peer, void* to, GpuMemoryName const& from, std::size_t bytes);

 private:
  struct Opened {
    std::array<unsigned char, 64> handle{};
    void* memory = nullptr;
  };
  void* opened(int peer, GpuMemoryName const& name);
  void* stream_of(int peer);

  int gpu_;
  std::map<std::pair<int, std::uint64_t>, Opened> opened_;  ///< by process and place of the allocation
  std::map<int, void*> streams_;
};

/// Copies from the host to a GPU, and returns when done.
void copy_to_gpu(void* to, void const* from, std::size_t bytes);

}  // namespace nearfar

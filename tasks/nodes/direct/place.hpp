// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace nearfar::detail {

/// Memory of one process as another process on the machine finds it.
struct RemoteMemory {
  std::array<unsigned char, 64> handle{};  ///< that a GPU's driver gives out for an allocation
  std::uint64_t address = 0;               ///< of the data, or of the allocation on a GPU, in the process that has it
  std::uint64_t offset = 0;                ///< of the data in that allocation
  std::int64_t process = 0;
};

/// A copy that goes on while others begin.
class RemoteCopy {
 public:
  virtual ~RemoteCopy() = default;
  virtual bool ended() = 0;
};

/// The memory between which ranks of one machine copy data directly: all in their hosts' or all on their GPUs. To be
/// used by one thread at a time. Members throw std::runtime_error for what the system refuses.
class Place {
 public:
  virtual ~Place() = default;
  /// Called once by each thread that uses it.
  virtual void enter() {}
  virtual RemoteMemory name(void const* memory) = 0;
  /// Begins to copy what rank `peer` of this machine has named; null if it has been copied already.
  virtual std::unique_ptr<RemoteCopy> copy(int peer, void* to, RemoteMemory const& from, std::size_t bytes) = 0;
  /// Copies to begin before the first of them has ended.
  virtual int at_once() const noexcept { return 1; }
};

/// Host memory, which Linux copies from the process that has it, if it lets this one look into that: between processes
/// of a user, unless the system forbids it.
class HostPlace final : public Place {
 public:
  RemoteMemory name(void const* memory) override;
  std::unique_ptr<RemoteCopy> copy(int peer, void* to, RemoteMemory const& from, std::size_t bytes) override;
};

/// Memory of the GPU with this number of its driver.
std::unique_ptr<Place> gpu_place(int gpu);

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nearfar {

/// The GPU that has this memory, by the number that its driver gives it; -1 for memory of the host.
int gpu_with(void const* memory);

/// Where each GPU is that this process may use, in the order of their numbers: what no two of a machine share.
std::vector<std::string> gpu_addresses();

/// The GPU that the caller's thread works with, or -1 where there is none; and another one for it.
int current_gpu();
void make_current(int gpu);

/// From memory of a GPU to that of the host, as it is when all has ended that was launched on the streams that wait for
/// the default stream of that GPU; returns when that is done. Throws std::runtime_error for what the GPU refuses.
void copy_from_gpu(void* to, void const* from, std::size_t bytes);

/// The same for some rows of `words` 32-bit words each, which come one after the other.
void copy_rows_from_gpu(void* to, void const* from, std::size_t words, std::span<std::uint32_t const> rows);

/// What is queued by now on a stream of a GPU, for others that come after it. Throws std::runtime_error for what the
/// GPU refuses.
class GpuEvent {
 public:
  /// `stream` of the GPU of this number.
  GpuEvent(void* stream, int gpu);
  ~GpuEvent();
  GpuEvent(GpuEvent const&) = delete;
  GpuEvent& operator=(GpuEvent const&) = delete;

  /// What is queued on this stream later begins after it.
  void hold(void* stream) const;

 private:
  explicit GpuEvent(int gpu);
  void* event_ = nullptr;
};

/// Returns when all has ended that is queued by now on a stream.
void await_stream(void* stream);

}  // namespace nearfar

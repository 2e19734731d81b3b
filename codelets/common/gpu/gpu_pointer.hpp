// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nearfar {

/// The GPU that owns this memory, by its driver's number; -1 for host memory.
int gpu_with(void const* memory);

/// Whether GPUs read and write this host memory without help: pages that the driver has pinned.
bool is_pinned(void const* memory);

/// The bus addresses of the GPUs that this process may use, in the order of their numbers: unique within a machine.
std::vector<std::string> gpu_addresses();

/// The current GPU of the calling thread, or -1 if there is none; and how to set it.
int current_gpu();
void make_current(int gpu);

/// Copies from GPU to host memory, after everything launched on streams that synchronise with the
/// default stream of that GPU; returns when done. Throws std::runtime_error if the GPU refuses.
void copy_from_gpu(void* to, void const* from, std::size_t bytes);

/// The same for parts of an array, `bytes` each and `step` bytes from one to the next, which are stored one after
/// another.
void copy_runs_from_gpu(void* to, void const* from, std::size_t bytes, std::size_t step, std::size_t runs);

/// The same for selected rows of `words` 32-bit words each, which are stored one after another.
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

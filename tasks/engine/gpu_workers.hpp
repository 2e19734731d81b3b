// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <starpu.h>
#include <string>
#include <vector>

namespace nearfar {
class GpuEvent;
}

namespace nearfar::detail {

/// While this lives another library may change the GPU that the caller's thread works with; it is the same afterwards.
class KeepCallersGpu {
 public:
  KeepCallersGpu() noexcept;
  ~KeepCallersGpu();
  KeepCallersGpu(KeepCallersGpu const&) = delete;
  KeepCallersGpu& operator=(KeepCallersGpu const&) = delete;

 private:
  int gpu_ = -1;
};

/// Where each GPU is that this process may use, by number. Throws Error{no_resource} where one does not say it.
std::vector<std::string> visible_gpus();

/// Workers that are no CPU.
std::vector<unsigned> gpu_workers();
/// Those that have a body of a stage.
std::vector<unsigned> gpu_workers(starpu_codelet const& stage);

/// The device of a worker, as part of a file name: which of several alike it is does not matter.
std::string device_of(unsigned worker);

/// Bytes that StarPU may take of the memory of the least of these workers' devices; as many as there are numbers where
/// it has no limit.
std::size_t gpu_memory(std::vector<unsigned> const& workers);

/// The memory node of StarPU that an address of the caller's belongs to: main memory, or a GPU that a worker drives.
/// Throws Error{bad_input} for the memory of any other GPU.
int memory_node_of(void const* memory);

/// Whether an array is in the memory of any GPU.
bool is_on_gpu(void const* memory);

/// Returns when all has ended that the caller has launched on streams that wait for the default stream of the GPU in
/// whose memory an array is; at once for other memory. Throws Error{no_resource} where that GPU refuses.
template <class T>
void wait_for_callers_streams(std::span<T const> given);

/// What tasks on GPUs begin after so that they touch arrays only when all has ended that is on the caller's stream by
/// now: an event, if one GPU has all of these arrays and runs all tasks that touch them. Else null, when all of that
/// has ended. Throws Error{no_resource} where a GPU refuses, Error{bad_input} for a stream where there are no GPUs.
std::shared_ptr<GpuEvent const> after_callers_stream(std::optional<Stream> const& stream, bool all_on_one_gpu,
                                                     std::vector<void const*> const& arrays);

/// What the caller gave, where it is, and where the host can read it: itself, or a copy of what is in a GPU's memory,
/// made when it is first asked for. Not thread-safe.
template <class T>
class OnHost {
 public:
  explicit OnHost(std::span<T const> given) : given_(given) {}

  std::span<T const> given() const noexcept { return given_; }
  std::size_t size() const noexcept { return given_.size(); }
  /// Throws Error{no_resource} where what a GPU has cannot be copied.
  std::span<T const> rows() const;
  operator std::span<T const>() const { return rows(); }

 private:
  std::span<T const> given_;
  mutable std::vector<T> copy_;
};

/// Some rows of an array of the caller's, `numbers` each, from the memory of the host or a GPU.
template <class T>
std::vector<T> rows_on_host(std::span<T const> array, std::size_t numbers, std::span<std::uint32_t const> rows);

/// Throws Error{bad_input} for arrays of a GPU: several ranks send strengths and results to each other from the host's
/// memory.
void expect_on_host(void const* strengths, void const* result);

}  // namespace nearfar::detail

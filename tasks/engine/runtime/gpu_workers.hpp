// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/arena.hpp"
#include "tasks/engine/given_arrays.hpp"

#include <nearfar/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <starpu.h>
#include <string>
#include <utility>
#include <vector>

namespace nearfar {
class GpuEvent;
}

namespace nearfar::detail {

/// While it lives, another library may change the thread's current GPU; the destructor restores it.
class KeepCallersGpu {
 public:
  KeepCallersGpu() noexcept;
  ~KeepCallersGpu();
  KeepCallersGpu(KeepCallersGpu const&) = delete;
  KeepCallersGpu& operator=(KeepCallersGpu const&) = delete;

 private:
  int gpu_ = -1;
};

/// Bus addresses of the GPUs that this process may use, by number. Throws Error{no_resource} if one has none.
std::vector<std::string> visible_gpus();

/// All workers that are not CPUs.
std::vector<unsigned> gpu_workers();
/// The GPU workers that have a body of a stage.
std::vector<unsigned> gpu_workers(starpu_codelet const& stage);

/// The device of a worker as part of a file name: equal for devices of the same kind.
std::string device_of(unsigned worker);

/// The memory limit of StarPU on the smallest of these workers'
/// devices, in bytes; the largest number if it has no limit.
std::size_t gpu_memory(std::vector<unsigned> const& workers);

/// The place of the GPU worker that drives a memory node among gpu_workers(); 0 if there is none.
int gpu_with_node(int node);

/// StarPU's memory node for an address of the caller's: main memory, or a GPU
/// that a worker drives. Throws Error{bad_input} for the memory of any other GPU; `whose` begins its text.
int memory_node_of(void const* memory, char const* whose = "an array is");

/// Whether an array is in the memory of some GPU.
bool is_on_gpu(void const* memory);

/// Waits for everything that the caller has launched on streams that synchronise with the default stream of the
/// GPU that owns an array; returns at once for other memory. Throws Error{no_resource} if that GPU refuses.
template <class T>
void wait_for_callers_streams(std::span<T const> given);

/// What tasks on GPUs begin after so that they touch arrays only when all has ended that is on the caller's stream by
/// now: an event, if one GPU has all of these arrays and runs all tasks that touch them. Else null, when all of that
/// has ended. Throws Error{no_resource} where a GPU refuses, Error{bad_input} for a stream where there are no GPUs.
std::shared_ptr<GpuEvent const> after_callers_stream(std::optional<Stream> const& stream, bool all_on_one_gpu,
                                                     std::vector<void const*> const& arrays);

/// What the caller gave, where it is, and where the host can read it: itself, or a copy of what is in a GPU's memory or
/// in several arrays, made when it is first asked for. Not thread-safe.
template <class T>
class OnHost {
 public:
  explicit OnHost(GivenArrays<T const> given) : given_(std::move(given)) {}

  /// One array, where it is; several: the copy.
  std::span<T const> given() const { return given_.several() ? rows() : given_.front(); }
  GivenArrays<T const> const& arrays() const noexcept { return given_; }
  std::size_t size() const noexcept { return given_.size(); }
  /// Throws Error{no_resource} if GPU memory cannot be copied.
  std::span<T const> rows() const;
  operator std::span<T const>() const { return rows(); }

 private:
  GivenArrays<T const> given_;
  mutable std::shared_ptr<Arena<T> const> copy_;  ///< pinned, if GPUs are there: they fill that soonest
};

/// Some rows of the caller's, `numbers` each, in host or GPU memory.
template <class T>
std::vector<T> rows_on_host(GivenArrays<T const> const& arrays, std::size_t numbers,
                            std::span<std::uint32_t const> rows);

/// Parts of an array in GPU memory, `numbers` each and `step` numbers from one to the next, in a single copy.
template <class T>
std::vector<T> runs_from_gpu(std::span<T const> array, std::size_t numbers, std::size_t step, std::size_t runs);

/// Throws Error{bad_input} for arrays in GPU memory: ranks
/// send strengths and results to each other from host memory.
void expect_on_host(std::vector<void const*> const& arrays);

}  // namespace nearfar::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <starpu.h>
#include <string>
#include <vector>

namespace nearfar::detail {

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

/// What the caller gave, where the host can read it: itself, or while this lives a copy of what is in a GPU's memory.
/// Throws Error{no_resource} where that cannot be copied.
template <class T>
class OnHost {
 public:
  explicit OnHost(std::span<T const> given);
  operator std::span<T const>() const noexcept { return rows_; }

 private:
  std::vector<T> copy_;
  std::span<T const> rows_;
};

/// Some rows of an array of the caller's, `numbers` each, from the memory of the host or a GPU.
template <class T>
std::vector<T> rows_on_host(std::span<T const> array, std::size_t numbers, std::span<std::uint32_t const> rows);

/// Throws Error{bad_input} for arrays of a GPU: several ranks send strengths and results to each other from the host's
/// memory.
void expect_on_host(void const* strengths, void const* result);

}  // namespace nearfar::detail

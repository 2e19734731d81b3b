// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"
#include "codelets/common/backends.hpp"
#include "codelets/common/error_slot.hpp"
#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace nearfar {

inline constexpr int max_accesses = 6;

class AnyStage;

/// What every task carries before its own arguments. Its two pointers are the only ones
/// to the host's memory in a task: stages are never destroyed, and the solve outlives its tasks.
struct TaskHeader {
  ErrorSlot* errors = nullptr;
  AnyStage const* stage = nullptr;
  double cost = 0;                   ///< flops: the key of the cost model
  int block = 0;                     ///< for messages and pictures
  int first[max_accesses + 1] = {};  ///< first buffer of each access
  Implementation implementation = Implementation::tuned;
};

template <class Args>
struct Payload {
  TaskHeader header;
  Args args;
};

/// A task's buffers by access and position: `buffers.get<double>(1, 3)` is the fourth handle of the second access.
class Buffers {
 public:
  NEARFAR_FUNCTION Buffers(void** raw, TaskHeader const& header) noexcept
      : raw_(raw), first_(header.first), header_(&header) {}

  NEARFAR_FUNCTION int count(int access) const noexcept { return first_[access + 1] - first_[access]; }

  /// Every handle of nearfar is a StarPU vector.
  template <class T>
  NEARFAR_FUNCTION T* get(int access, int i = 0) const noexcept {
    auto* vector = static_cast<starpu_vector_interface*>(raw_[first_[access] + i]);
    return reinterpret_cast<T*>(vector->ptr);
  }
  /// Of an access to items of several handles (Each): how many items, and a member of item i.
  template <class Item>
  NEARFAR_FUNCTION int items(int access) const noexcept {
    return count(access) / handles_of<Item>;
  }
  template <class T, class Item>
  NEARFAR_FUNCTION T* get(int access, int i, Handle Item::*member) const noexcept {
    return get<T>(access, i * handles_of<Item> + place_of(member));
  }
  template <class T, class Item>
  NEARFAR_FUNCTION std::int64_t size(int access, int i, Handle Item::*member) const noexcept {
    return size<T>(access, i * handles_of<Item> + place_of(member));
  }
  /// Number of elements of T in that buffer.
  template <class T>
  NEARFAR_FUNCTION std::int64_t size(int access, int i = 0) const noexcept {
    auto* vector = static_cast<starpu_vector_interface*>(raw_[first_[access] + i]);
    return std::int64_t(vector->nx) * std::int64_t(vector->elemsize) / std::int64_t(sizeof(T));
  }

  /// For errors found after a body has returned, as on a GPU.
  TaskHeader const& header() const noexcept { return *header_; }

 private:
  void** raw_;
  int const* first_;
  TaskHeader const* header_;
};

/// The description of a stage: name, arguments, accesses, and at least the portable body. See CONTRIBUTING.md.
template <class S>
concept Stage = std::is_trivially_copyable_v<typename S::Args> &&
    requires(Buffers const& b, typename S::Args const& a) {
  typename S::Accesses;
  requires S::Accesses::size <= max_accesses;
  { S::name } -> std::convertible_to<char const*>;  // in traces and tables; see symbol_of (codelets/common/names.hpp)
  S::portable(b, a);
};

/// A stage that also has a SIMD body.
template <class S>
concept TunedStage = Stage<S> && requires(Buffers const& b, typename S::Args const& a) {
  S::tuned(b, a);
};

/// Whether the body that a stage declares for GPUs is compiled: S::gpu_built says so where it needs more than a GPU.
template <class S>
constexpr bool is_gpu_body_built() {
  if constexpr (requires { S::gpu_built; }) return S::gpu_built;
  else return gpus_built;
}

/// A stage with a body for GPUs, whether it is compiled or not; `stream` is the worker's own, as a void pointer so that
/// one signature serves CUDA and HIP.
template <class S>
concept StageForGpus = Stage<S> && requires(Buffers const& b, typename S::Args const& a, void* stream) {
  S::gpu(b, a, stream);
};

/// A stage that a GPU can run.
template <class S>
concept GpuStage = StageForGpus<S> && is_gpu_body_built<S>();

}  // namespace nearfar
